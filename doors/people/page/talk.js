// The talk: what was said, what is being done, and a card for each note that was changed, with its diff and undo.
import { $, ask, make, several, toNote } from "./tools.js";

const working = new Map(); // the number of a message that is under way -> its elements
let open = () => {};
let changed = async () => {};
let source = null;

// Show what was said, and follow what comes. `opens` shows a note, `look` reads the notes again.
export async function begin(opens, look) {
  [open, changed] = [opens, look];
  const now = await ask("talk");
  if (now.error) { lost(now.error); return now; }
  working.clear();
  $("talk").replaceChildren(...now.turns.map(turn));
  state();
  toTheEnd();
  source?.close();
  source = new EventSource(`events?after=${now.after}`);
  source.onmessage = (event) => hear(JSON.parse(event.data));
  source.onopen = () => lost("");
  source.onerror = () => lost("The program does not answer. When it was started again, open the page at its new address.");
  return now;
}

export function tell(text) { $("state").textContent = text; }

function lost(text) {
  $("lost").hidden = !text;
  if ($("lost").textContent !== text) $("lost").textContent = text;
}

// What scrolls is the talk, or where there is little room the page.
function toTheEnd() {
  for (const each of [$("talk"), document.scrollingElement]) each.scrollTop = each.scrollHeight;
}

function state() {
  $("nothing").hidden = $("talk").children.length > 0;
  $("stop").hidden = !working.size;
  $("talk").setAttribute("aria-busy", String(working.size > 0)); // read aloud when it is whole
  tell(working.size > 1 ? `Working; ${several(working.size - 1, "message waits", "messages wait")}.` : working.size ? "Working." : "");
}

function hear(event) {
  if (event.kind === "lost") { begin(open, changed); return; }
  if (event.kind === "asked") {
    const live = make("p", { class: "live" });
    const steps = make("ol", { class: "steps" });
    const item = make("li", { class: "turn" }, asked(event.text), steps, live);
    working.set(event.turn, { item, steps, live, calls: new Map() });
    $("talk").append(item);
    state();
    toTheEnd();
    return;
  }
  if (event.kind === "turn") { replace(event.told); changed(); return; }
  const at = working.get(event.turn);
  if (!at) return; // it had ended before this page was opened
  if (event.kind === "text") at.live.append(event.text);
  if (event.kind === "call") {
    at.live.textContent = "";
    at.calls.set(event.id, at.steps.appendChild(step(event)));
  }
  if (event.kind === "called") at.calls.get(event.id)?.append(event.ok ? ": done" : ": failed");
  if (event.kind === "ended") {
    working.delete(event.turn);
    at.item.remove();
    if (event.told) replace(event.told, at.item);
    else {
      at.live.replaceWith(make("p", { class: "problem" }, event.problem ?? ""));
      $("talk").append(at.item);
    }
    for (const notice of event.notices ?? []) $("talk").append(make("li", { class: "soft" }, notice));
    state();
    changed();
  }
  toTheEnd();
}

// Put what came of a message where it stands, else at the end.
function replace(told) {
  const there = [...$("talk").children].find((each) => each.dataset.run === told.run);
  if (there) there.replaceWith(turn(told));
  else $("talk").append(turn(told));
}

const asked = (text) => make("p", { class: "asked" }, make("span", { class: "unseen" }, "You: "), text);
const step = (each) => make("li", {}, make("code", {}, each.name), each.about ? ` ${each.about}` : "");
const ended = (each) => { const line = step(each); line.append(each.ok ? ": done" : ": failed"); return line; };

function turn(told) {
  const item = make("li", { class: "turn", "data-run": told.run }, asked(told.asked));
  if (told.steps.length) {
    item.append(make("details", {}, make("summary", { class: "soft small" }, several(told.steps.length, "step")), make("ol", { class: "steps" }, ...told.steps.map(ended))));
  }
  if (told.answer) item.append(make("p", { class: "answer" }, ...withNotes(told.answer)));
  if (told.problem) item.append(make("p", { class: "problem" }, told.problem));
  if (told.cards.length) item.append(cards(told));
  return item;
}

// A text in which the paths of notes open them.
function withNotes(text) {
  return text.split(/("[^"\n]+\.md"|[^\s"(),:;]+\.md\b)/).map((part, place) => {
    const path = part.replace(/^"|"$/g, "");
    return place % 2 ? toNote(path, path, (each) => open(each)) : part;
  });
}

const WHAT = { new: "New", changed: "Changed", deleted: "Deleted" };

function cards(told) {
  const note = make("p", { role: "status", class: "problem" }, told.note ?? "");
  const list = make("ul", { class: "cards" }, ...told.cards.map((card) => {
    const inside = make("div");
    const about = told.undo ? "What was changed" : "What changed";
    const diff = make("details", { ontoggle: (event) => { if (event.target.open && !inside.firstChild) compare(told.run, card.path, inside); } },
      make("summary", {}, about, make("span", { class: "unseen" }, ` in ${card.title}`)), inside);
    const title = card.what === "deleted" && !told.undo ? make("b", {}, card.title) : toNote(card.path, card.title, (each) => open(each));
    return make("li", { class: "card" }, make("p", {}, make("span", { class: `what ${card.what}` }, WHAT[card.what]), " ", title, " ", make("span", { class: "soft small" }, card.path)), diff);
  }));
  const button = make("button", {
    onclick: async () => {
      button.disabled = true;
      note.textContent = "";
      const said = await ask("undo", { run: told.run, again: Boolean(told.undo) });
      button.disabled = false;
      if (said.error) { note.textContent = said.error; note.scrollIntoView({ block: "nearest" }); }
      else { replace(said); changed(); document.querySelector(`[data-run="${told.run}"] .undo button`)?.focus(); }
    },
  }, told.undo ? "Do it again" : `Undo ${told.cards.length > 1 ? `all ${told.cards.length}` : "this"}`);
  const state = told.undo ? make("span", { class: "soft" }, "Undone: the notes are as they were.") : "";
  return make("div", { class: told.undo ? "undone" : "" }, list, make("p", { class: "buttons undo" }, button, state), note);
}

async function compare(run, path, inside) {
  const diffs = await ask(`diff?run=${encodeURIComponent(run)}`);
  const text = diffs.error ?? (diffs[path] || "There are no lines to show.");
  if (diffs.error || !diffs[path]) { inside.replaceChildren(make("p", { class: "soft" }, text)); return; }
  const lines = text.replace(/\n$/, "").split("\n").filter((line) => !line.startsWith("@@") && !line.startsWith("\\"));
  inside.replaceChildren(make("pre", { class: "diff", tabindex: "0", role: "group", "aria-label": `What changed in ${path}` },
    ...lines.map((line) => make(line[0] === "+" ? "ins" : line[0] === "-" ? "del" : "span", {}, `${line}\n`))));
}

// `keep`: it is a text to make a note of, whatever it says; else what it asks for is done.
async function send(keep) {
  const text = $("message").value;
  if (!text.trim() || $("send").disabled) { $("message").focus(); return; }
  $("send").disabled = $("keep").disabled = true;
  const said = await ask("say", { text, keep });
  $("send").disabled = $("keep").disabled = false;
  if (said.error) tell(said.error);
  else $("message").value = "";
  $("message").focus();
}

$("say").addEventListener("submit", (event) => { event.preventDefault(); send(false); });
$("keep").addEventListener("click", () => send(true));
$("message").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  send(event.ctrlKey || event.metaKey);
});
$("stop").addEventListener("click", async () => { tell("Stopping."); const said = await ask("stop", {}); if (said.error) tell(said.error); });
for (const each of document.querySelectorAll(".example")) {
  each.addEventListener("click", () => { $("message").value = each.textContent; $("message").focus(); });
}
