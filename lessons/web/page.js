// The course as a page: which lesson is open, its text, its question, hints and solution, and what the keys do.

import { $, el, html, lessonsOf, questionOf, reallyOf } from "./draw.js";
import { check, desk, focusEditor, isDirty, look, openDesk, save } from "./desk.js";
import { ask } from "./reach.js";
import { showReal, start } from "./real.js";
import { showBoxes, showSteps, walk } from "./steps.js";

const course = { lessons: [], here: 0, passed: false, next: null, asked: "", question: null, asking: false };

async function open(number) {
  if (isDirty() && !(await save({ check: false }))) return;
  const told = await ask("open", number ? { lesson: number } : {});
  if (told.error) return say(told.error);
  show(told);
  if ($("conflict").hidden) $("title").focus();
  if (told.unchecked) check();
}

function show(told) {
  Object.assign(course, { here: told.number, passed: told.passed, next: told.next, asked: "" });
  if (location.hash !== `#${told.number}`) history.pushState(null, "", `#${told.number}`);
  document.title = `${told.number}. ${told.title}`;
  $("title").textContent = `${told.number}. ${told.title}`;
  $("notice").hidden = !told.notice;
  $("notice").textContent = told.notice;
  $("text").innerHTML = told.page;
  $("hints").replaceChildren(...told.hints.map(hintOf));
  $("answer").replaceChildren();
  $("list").hidden = true;
  $("list-button").setAttribute("aria-expanded", "false");
  $("hint").disabled = false;
  $("next").disabled = !told.next;
  say(told.said ?? "");
  progress(told.lessons);
  showSteps([], 0, true);
  showBoxes(told.diagram);
  showRun(told);
  openDesk(told, found, putBack);
  course.question = told.question;
  predicting(told.ask);
}

function progress(lessons) {
  course.lessons = lessons;
  const done = lessons.filter((each) => each.done).length;
  Object.assign($("progress"), { max: lessons.length, value: done });
  $("done").textContent = `${done} of ${lessons.length} lessons done`;
  $("list").querySelector("ol").replaceChildren(...lessonsOf(lessons, course.here, open));
}

function showRun({ player, finale, real }) {
  $("run").hidden = !player && !finale;
  $("player").hidden = $("keep").hidden = !player;
  $("player").href = `player?lesson=${course.here}`;
  $("finale").hidden = !finale;
  showReal(real);
}

function found(verdict) {
  const first = verdict.passed && !course.passed;
  course.passed ||= verdict.passed;
  progress(verdict.lessons);
  showBoxes(verdict.diagram);
  showSteps(verdict.trail, verdict.trail.findLastIndex((each) => each.from === "check"), true);
  showRun(verdict);
  say(!first ? "" : course.next ? "n: the next lesson. s: a solution to compare with." : "That was the last lesson.");
}

const say = (text) => { $("said").textContent = text; };

// ---------------------------------------------------------------- before the text

function predicting(asking) {
  course.asking = asking;
  $("built").classList.toggle("below", asking); // the choices are to be seen
  $("question").hidden = !asking;
  $("text").hidden = asking;
  $("really").hidden = true;
  $("question").replaceChildren(...(asking ? questionOf(course.question, predict, straight) : []));
}

async function predict(letter) {
  const told = await ask("predict", { lesson: course.here, letter });
  if (told.error) return say(told.error);
  $("really").replaceChildren(...reallyOf(told, course.question, letter));
  straight();
  $("really").hidden = false;
  $("really").scrollIntoView({ block: "nearest" });
}

function straight() {
  predicting(false);
  $("title").focus();
}

// ---------------------------------------------------------------- help

const hintOf = (text, index) => el("details", { open: true }, el("summary", {}, `Hint ${index + 1}`), html(text));

async function hint() {
  const told = await ask("hint", { lesson: course.here });
  if (told.error) return say(told.error);
  say("");
  if (told.number > $("hints").children.length) $("hints").append(hintOf(told.hint, told.number - 1));
  $("hints").lastElementChild.scrollIntoView({ block: "nearest" });
  if (!told.hints_left) say("These were all the hints. s: a solution.");
}

async function solution() {
  if (!course.passed && !twice("solution", "This lesson is not done yet. Once more to see a solution all the same.")) return;
  const told = await ask("solution", { lesson: course.here });
  if (told.error) return say(told.error);
  say("");
  $("answer").replaceChildren(el("h2", {}, "A solution. Yours may look different and be as good."), el("pre", { tabindex: "0" }, told.solution));
  $("answer").scrollIntoView({ block: "nearest" });
}

async function reset() {
  if (!twice("reset", "Once more puts the file back as it was at the start; yours is kept aside.")) return;
  if (isDirty() && !(await save({ check: false }))) return;
  await putBack();
}

async function putBack() {
  const told = await ask("reset", { lesson: course.here });
  if (told.error) say(told.error);
  else show(told);
}

// Whether this was asked for before; if not, say what a second time does.
function twice(what, sentence) {
  const before = course.asked === what;
  course.asked = before ? "" : what;
  if (!before) say(sentence);
  return before;
}

async function words() {
  if (!$("words").querySelector("dt")) {
    const told = await fetch("words").then((answer) => answer.json());
    $("words").querySelector("dl").append(...told.flatMap(([word, text]) => [el("dt", {}, word), html(text, "dd")]));
  }
  $("words").showModal();
}

function list() {
  $("list").hidden = !$("list").hidden;
  $("list-button").setAttribute("aria-expanded", String(!$("list").hidden));
  if (!$("list").hidden) $("list").querySelector("[aria-current]").focus();
}

async function keep() {
  const told = await ask("keep", { lesson: course.here });
  say(told.error ?? told.said);
}

// ---------------------------------------------------------------- keys

const follow = (id) => { if (!$("run").hidden && !$(id).hidden) $(id).click(); };
const KEYS = {
  e: ["your file", focusEditor], c: ["check now", () => save()], h: ["a hint", hint], s: ["a solution", solution],
  n: ["next lesson", () => course.next && open(course.next)], b: ["the lesson before", () => course.here > 1 && open(course.here - 1)],
  t: ["the text of the lesson", straight], p: ["the question before the lesson", () => course.question && predicting(true)],
  l: ["the list of lessons", list], r: ["the file as it was at the start", reset], v: ["your run in the player", () => follow("player")],
  g: ["run your agent for real, or stop it", start], ",": ["a step back in the drawing", () => walk(-1)], ".": ["a step forth", () => walk(1)],
  k: ["keep that page", () => $("run").hidden || keep()], f: ["the finale", () => follow("finale")], w: ["words", words], "?": ["these keys", () => $("keys").showModal()],
};
for (const [id, key] of Object.entries({ check: "c", hint: "h", solution: "s", reset: "r", next: "n", "list-button": "l", "words-button": "w", "keys-button": "?", keep: "k" }))
  $(id).addEventListener("click", KEYS[key][1]);
$("keys").querySelector("dl").append(...Object.entries({ ...KEYS, "x, y, z": ["answer the question before a lesson"], Enter: ["straight to the text"] })
  .flatMap(([key, [what]]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]));

// A dialog that closes may leave the focus inside it (Chromium 156), where no key reaches the page.
document.addEventListener("close", (event) => event.target.contains(document.activeElement) && document.activeElement.blur(), true);
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); if (!event.target.closest("#editor")) save(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("#editor, dialog[open] input, main input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (event.key.length === 1 && !$("letters").checked) return; // who speaks to the computer may say one by chance: WCAG 2.1.4
  if (course.asking && "xyz".includes(event.key)) return predict(event.key);
  if (course.asking && event.key === "Enter" && !event.target.closest("button, a")) return straight();
  if (event.key.startsWith("Arrow") && event.target.closest("#built") && !event.target.closest("pre")) return walk({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
  if (!KEYS[event.key]) return;
  event.preventDefault(); // or the key would be typed where the focus goes
  KEYS[event.key][1]();
});
try { $("letters").checked = localStorage.getItem("glassbox-letters") !== "off"; } catch { /* there may be no storage */ }
$("letters").addEventListener("change", () => { try { localStorage.setItem("glassbox-letters", $("letters").checked ? "on" : "off"); } catch { /* see above */ } });
addEventListener("popstate", () => { const number = Number(location.hash.slice(1)); if (number && number !== course.here) open(number); });

await open(Number(location.hash.slice(1)) || null);
look((done) => { if (done.length !== course.lessons.filter((each) => each.done).length) progress(course.lessons.map((each) => ({ ...each, done: done.includes(each.number) }))); });
