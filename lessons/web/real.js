// "Run it for real": the learner's own agent with a model of their choice, told while it goes on.

import { $, el } from "./draw.js";
import { ask } from "./reach.js";
import { go, showSteps } from "./steps.js";

const run = { steps: [], going: false, followed: true, begun: false };

// Show the panel, once the loop of lesson 6 has passed. A run that goes on, or was the last, is taken up again.
export async function showReal(is) {
  $("real").hidden = !is;
  if (!is || run.begun) return;
  run.begun = true;
  await Promise.all([offer(), follow()]);
}

async function offer() {
  const found = await fetch("models").then((answer) => answer.json());
  $("models").replaceChildren(...found.map(({ provider, model, why }) => el("option", { value: provider, disabled: Boolean(why) }, why ? `${provider}: not here` : `${provider}: ${model}`)));
  $("why").replaceChildren(...found.filter((each) => each.why).map(({ provider, why }) => el("li", {}, `${provider}: ${why}`)));
}

// Begin, or end what goes on.
export async function start() {
  if ($("real").hidden) return;
  if (run.going) { state("Stopping …"); await ask("stop", {}); return; }
  state("");
  const told = await ask("run", { prompt: $("prompt").value, provider: $("models").value });
  if (told.error) return state(told.error);
  $("real").scrollIntoView({ block: "nearest" });
  await follow();
}

async function follow() {
  let after = 0, told;
  Object.assign(run, { steps: [], followed: true });
  do {
    told = await ask(`running?after=${after}`);
    if (told.status !== 200) { state("The run has ended with the program."); break; }
    if (after === 0 && told.prompt) begin(told.prompt);
    after = told.after;
    told.events.forEach(hear);
    going(told.going);
  } while (told.going);
  going(false);
}

function begin(prompt) {
  $("story").replaceChildren(el("p", {}, "The task: ", el("b", {}, prompt)), el("ol", { id: "turns" }));
  $("ended").replaceChildren();
}

function going(is) {
  run.going = is;
  $("go").firstChild.textContent = is ? "Stop " : "Run ";
  $("real").classList.toggle("going", is);
}

const state = (text) => { $("run-state").textContent = text; };

function hear(event) {
  if (event.said) $("turns").before(el("p", { class: "small soft" }, event.said));
  if (event.step) step(event.step);
  if ("changed" in event) end(event);
  if (event.problem) state(event.problem);
}

// A step is told when it begins, and again with what it got.
function step(told) {
  const known = run.steps.findIndex((each) => each.id === told.id), at = known < 0 ? run.steps.length : known;
  run.steps[at] = told;
  if (known < 0) $("turns").append(el("li", {}, el("button", { onclick: () => { run.followed = false; showSteps(run.steps, at, false); go(at); } })));
  const short = (text) => (text.length > 70 ? `${text.slice(0, 69)}…` : text);
  $("turns").children[at].firstChild.textContent = short(`${told.from === "person" ? "you" : told.from} → ${told.to}: ${(told.to === "model" ? told.got || told.called : told.called).replace(/\s+/g, " ")}`);
  if (run.followed) showSteps(run.steps, at, false);
}

function end({ answer, changed, player }) {
  state(answer ? "Your agent has come to its answer." : "");
  $("ended").replaceChildren(
    ...(answer ? [el("h3", {}, "Its answer"), el("pre", { tabindex: "0" }, answer)] : []),
    el("h3", {}, changed.length ? "What it changed" : "It changed nothing."),
    ...(changed.length ? [el("pre", { tabindex: "0" }, changed.join("\n"))] : []),
    ...(player ? [el("p", {}, el("a", { id: "real-player", href: "player?lesson=real", target: "_blank", rel: "noopener" }, "The whole run in the player"))] : []));
}

$("go").addEventListener("click", start);
