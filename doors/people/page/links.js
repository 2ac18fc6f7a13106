// The links between notes, as a picture and as a list: notes on a circle by folder, a line for each link.
import { $, ask, several, make, toNote } from "./tools.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 900, RADIUS = 250, LONGEST = 24;

function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Open the picture; `opens` shows a note.
export async function draw(opens) {
  const said = await ask("links");
  const go = (path) => { $("links").close(); opens(path); };
  $("links-count").textContent = said.error ?? counted(said);
  const empty = said.error || !said.notes.length;
  $("picture").replaceChildren(...(empty ? [] : [picture(said, go)]));
  $("picture").hidden = empty;
  $("links-list").replaceChildren(...(empty ? [] : list(said, go)));
  if (!$("links").open) $("links").showModal();
}

function counted({ notes, links, alone, left_out, unread }) {
  if (unread) return "These are too many notes to draw. Open one, and follow its links.";
  if (!notes.length) return alone ? `${several(alone, "note")}, and no links between them yet.` : "No notes yet.";
  const more = [left_out ? `${several(left_out, "note")} with fewer links ${left_out === 1 ? "is" : "are"} left out` : "", alone ? `${several(alone, "note")} without links` : ""];
  return [`${several(notes.length, "note")}, ${several(links.length, "link")}`, ...more.filter(Boolean)].join("; ") + ".";
}

function picture({ notes, links }, go) {
  const svg = shape("svg", { viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, role: "img", "aria-label": "The notes on a circle, by folder, with a line for each link. The list tells the same." });
  const gaps = notes.map(([, , folder], at) => folder !== notes.at(at - 1)[2]); // a gap before each folder
  const places = notes.length + gaps.filter(Boolean).length;
  const angles = new Map();
  let place = 0;
  notes.forEach(([path], at) => { place += gaps[at] ? 2 : 1; angles.set(path, (2 * Math.PI * place) / places - Math.PI / 2); });
  const at = (path, radius = RADIUS) => [radius * Math.cos(angles.get(path)), radius * Math.sin(angles.get(path))];
  const both = new Set(links.map(([one, other]) => [one, other].sort().join("\n")));
  const lines = [...both].map((pair) => {
    const [one, other] = pair.split("\n");
    const line = shape("path", { d: `M${at(one)} Q0,0 ${at(other)}` });
    line.dataset.ends = `${one}\n${other}\n`;
    svg.append(line);
    return line;
  });
  for (const [path, title, folder] of notes) {
    const turned = (angles.get(path) * 180) / Math.PI;
    const left = Math.cos(angles.get(path)) < 0;
    const name = title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title;
    const label = shape("text", { x: left ? -RADIUS - 12 : RADIUS + 12, y: 4, "text-anchor": left ? "end" : "start", transform: `rotate(${left ? turned + 180 : turned})` }, name);
    const [cx, cy] = at(path);
    const note = shape("g", {});
    note.append(shape("title", {}, folder ? `${title}, in ${folder}` : title), shape("circle", { cx, cy, r: 5 }), label);
    const light = (on) => {
      note.classList.toggle("on", on);
      for (const line of lines) line.classList.toggle("on", on && line.dataset.ends.split("\n").includes(path));
    };
    note.addEventListener("pointerenter", () => light(true));
    note.addEventListener("pointerleave", () => light(false));
    note.addEventListener("click", () => go(path));
    svg.append(note);
  }
  return svg;
}

function list({ notes, links }, go) {
  const titles = new Map(notes.map(([path, title]) => [path, title]));
  const button = (path) => toNote(path, titles.get(path), go);
  const parts = [];
  let folder = null;
  for (const [path, , where] of notes) {
    if (where !== folder) { parts.push(make("h3", {}, where || "Not in a folder"), make("ul", { class: "plain" })); folder = where; }
    const to = links.filter(([one]) => one === path).map(([, other]) => other);
    const from = links.filter(([, other]) => other === path).map(([one]) => one);
    const ways = [["Both ways", to.filter((each) => from.includes(each))], ["Links to", to.filter((each) => !from.includes(each))], ["Linked from", from.filter((each) => !to.includes(each))]];
    const rows = ways.filter(([, paths]) => paths.length).map(([what, paths]) => make("p", { class: "small" }, `${what}: `, ...paths.flatMap((each, at) => (at ? [", ", button(each)] : [button(each)]))));
    parts.at(-1).append(make("li", {}, button(path), ...rows));
  }
  return parts;
}
