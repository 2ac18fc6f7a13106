// The drawing of what is built, and in it the data on its way: an arrow carries what was called, and what came back.
// The steps are those of the last check or of the last real run, as the server has heard them; nothing is made up here.

import { $, el } from "./draw.js";

const SVG = "http://www.w3.org/2000/svg";
const EDGE = 24; // pixels from a box's left side, at most, where an arrow meets it: it stays clear of the labels
const shown = { boxes: [], steps: [], at: 0, check: false };

export function showBoxes(boxes) {
  shown.boxes = boxes;
  draw();
}

// `steps`: {from, to, called, got}; `check`: whether a check called, and not a person.
export function showSteps(steps, at, check) {
  Object.assign(shown, { steps, at, check });
  draw();
}

// Show another step: the one that is `by` further, or the one at a place.
export function walk(by) { if (shown.steps.length) go(shown.at + by); }
export function go(at) {
  shown.at = Math.max(0, Math.min(shown.steps.length - 1, at));
  draw();
}

const caller = () => (shown.check ? "the check" : "you");
const textOf = ({ name, text }) => {
  if (!shown.steps.length) return text;
  if (name === "person") return caller();
  return name === "model" && shown.check ? "a model, which the check plays" : text;
};
const endsOf = ({ from, to }) => [from, to].map((name) => (shown.boxes.flat().some((each) => each.name === name) ? name : "person"));
const nameOf = (end) => (["check", "person"].includes(end) ? caller() : end);

function draw() {
  const step = shown.steps[shown.at], boxes = shown.boxes.flat(), ends = step ? endsOf(step) : [];
  const rows = shown.boxes.map((row) => row.filter((each) => each.is !== "coming" || ends.includes(each.name))).filter((row) => row.length);
  const upper = rows.findIndex((row) => row.some((each) => ends.includes(each.name)));
  const elements = rows.flatMap((row, number) => [
    el("div", { class: "row" }, row.map((each) => el("span", { class: `box ${each.is}${ends.includes(each.name) ? " on" : ""}`, "data-name": each.name }, textOf(each)))),
    step && number === upper ? el("div", { class: "carried" }, labelOf("called", step.called), labelOf("got", step.got || "… (awaited)")) : "",
  ]);
  $("diagram").replaceChildren(...elements.filter(Boolean));
  const coming = boxes.filter((each) => each.is === "coming").length;
  $("coming").textContent = coming ? `${coming} more parts are to come.` : "";
  $("walk").hidden = !step;
  $("where").textContent = step ? `${shown.check ? "The check" : "The run"}, step ${shown.at + 1} of ${shown.steps.length}: ${nameOf(step.from)} → ${nameOf(step.to)}` : "";
  $("back").disabled = shown.at === 0;
  $("forth").disabled = shown.at >= shown.steps.length - 1;
  if (step) arrows(ends, step.got);
  $("built").scrollTop = $("diagram").querySelector(".on")?.offsetTop ?? 0; // on a low screen the drawing scrolls by itself
}

// The whole text, of which one line is seen until one points at it, or comes to it with Tab.
const labelOf = (kind, text) => el("div", { class: kind }, el("b", {}, kind), el("pre", { tabindex: "0", "aria-label": kind }, text));

// From the one box to the other, behind those between: a line for the call and, where something came back, one for that.
function arrows(ends, got) {
  const [from, to] = ends.map((name) => $("diagram").querySelector(`[data-name="${name}"]`)), svg = document.createElementNS(SVG, "svg");
  const ground = $("diagram").getBoundingClientRect(), [here, there] = [from, to].map((box) => box.getBoundingClientRect());
  const level = here.top === there.top, down = there.top > here.top;
  const point = (box, lower, shift) => [box.left - ground.left + Math.min(box.width / 2, EDGE) + shift, (lower ? box.bottom : box.top) - ground.top];
  for (const [kind, shift] of [["called", -6], ...(got ? [["got", 6]] : [])]) {
    let a = point(here, level || down, shift), b = point(there, level || !down, shift);
    if (kind === "got") [a, b] = [b, a];
    const bend = level ? [a[1] + 14, b[1] + 14] : [(a[1] + b[1]) / 2, (a[1] + b[1]) / 2];
    const path = document.createElementNS(SVG, "path"), head = document.createElementNS(SVG, "path");
    const up = level || bend[1] > b[1] ? -1 : 1;
    path.setAttribute("d", `M${a} C${a[0]},${bend[0]} ${b[0]},${bend[1]} ${b}`);
    head.setAttribute("d", `M${b} l-4,${-7 * up} h8 z`);
    path.classList.add(kind);
    head.classList.add(kind, "head");
    svg.append(path, head);
  }
  svg.setAttribute("aria-hidden", "true");
  $("diagram").prepend(svg);
}

new ResizeObserver(() => {
  $("diagram").querySelector("svg")?.remove();
  const step = shown.steps[shown.at];
  if (step) arrows(endsOf(step), step.got);
}).observe($("diagram"));
$("back").addEventListener("click", () => walk(-1));
$("forth").addEventListener("click", () => walk(1));
