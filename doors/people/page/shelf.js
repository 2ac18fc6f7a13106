// The notes: by folder, found while one types, and one of them, read as text.
import { $, ask, make, several, toNote } from "./tools.js";

const MOST = 300; // notes of a folder that are listed
const ORDER = new Intl.Collator(undefined, { numeric: true }); // 2 before 10
let opened = ""; // the path of the note that is shown
let folders = [];
let asking = false;

// Read the list of notes again, and the note that is open.
export async function look() {
  const said = await ask("notes");
  if (said.error) { $("count").textContent = said.error; return; }
  folders = said.folders;
  for (const each of folders) each.notes.sort(([, one], [, other]) => ORDER.compare(one, other));
  if (!$("search").value.trim()) list();
  if (!opened) return;
  if (folders.some((each) => each.notes.some(([path]) => path === opened))) open(opened, true);
  else $("note").replaceChildren(make("p", { class: "soft" }, `${opened} is not there any more.`), make("button", { onclick: shut }, "Close"));
}

function list() {
  const number = folders.reduce((sum, each) => sum + each.notes.length, 0);
  const were = new Map([...$("list").querySelectorAll("details")].map((each) => [each.dataset.name, each.open]));
  $("count").textContent = number ? `${several(number, "note")} in ${several(folders.length, "folder")}` : "No notes yet. They will be here, by folder.";
  $("list").replaceChildren(...folders.map((folder) => folded(folder, were.get(folder.name) ?? (number <= 100 || folders.length === 1))));
}

function folded(folder, isOpen) {
  const inside = make("ul", { class: "plain" });
  const fill = () => {
    inside.replaceChildren(...folder.notes.slice(0, MOST).map(([path, title]) => make("li", {}, link(path, title))));
    if (folder.notes.length > MOST) inside.append(make("li", { class: "soft" }, `${(folder.notes.length - MOST).toLocaleString("en")} more: search finds them.`));
  };
  if (isOpen) fill(); // a folder that is closed costs nothing until it is opened
  return make("details", { "data-name": folder.name, open: isOpen, ontoggle: (event) => { if (event.target.open && !inside.firstChild) fill(); } },
    make("summary", {}, folder.name || "Not in a folder", make("span", { class: "soft" }, ` ${folder.notes.length}`)), inside);
}

function link(path, title) {
  const made = toNote(path, title, open);
  made.dataset.path = path;
  if (path === opened) made.setAttribute("aria-current", "true");
  return made;
}

function mark() {
  for (const each of document.querySelectorAll("#list [data-path]")) {
    if (each.dataset.path === opened) each.setAttribute("aria-current", "true"); else each.removeAttribute("aria-current");
  }
}

// Show a note beside the list; `again` where it is shown already, and may be another by now.
export async function open(path, again = false) {
  opened = path;
  mark();
  const note = await ask(`note?path=${encodeURIComponent(path)}`);
  if (opened !== path) return; // another was opened meanwhile
  const head = make("h2", { tabindex: "-1" }, note.title ?? path);
  const close = make("button", { onclick: () => { shut(); document.querySelector(`#list [data-path="${CSS.escape(path)}"]`)?.focus(); } }, "Close");
  const parts = note.error ? [make("p", { class: "problem" }, note.error)] : [about(note), ...read(note), ...back(note)];
  $("note").replaceChildren(make("div", { class: "head" }, head, close), ...parts);
  $("note").hidden = false;
  if (!again) { head.focus({ preventScroll: true }); $("note").scrollIntoView({ block: "nearest" }); $("note").scrollTop = 0; }
}

function shut() {
  $("note").hidden = true;
  opened = "";
  mark();
}

function about({ path, about }) {
  const more = Object.entries(about).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
  return make("p", { class: "soft small" }, [path, ...more].join(" · "));
}

function back(note) {
  if (!note.back.length) return [];
  return [make("h3", {}, "Linked from"), make("ul", {}, ...note.back.map(([path, title]) => make("li", {}, link(path, title))))];
}

// Markdown as far as notes need it: headings, lists, code, paragraphs, links to other notes. The rest stays as it is.
function read({ body, links, title }) {
  const parts = [];
  let block = [];
  const flush = () => { if (block.length) parts.push(make("p", {}, ...inline(block.join("\n"), links))); block = []; };
  const lines = body.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const fence = line.match(/^(`{3,}|~{3,})/);
    const heading = line.match(/^(#{1,6})\s+(.*)$/);
    const item = line.match(/^\s*([-*+]|\d+[.)])\s+(.*)$/);
    if (fence) {
      flush();
      const code = [];
      for (at += 1; at < lines.length && !lines[at].startsWith(fence[1]); at += 1) code.push(lines[at]);
      parts.push(make("pre", { tabindex: "0" }, code.join("\n")));
    } else if (heading) {
      flush();
      if (parts.length || heading[2].trim() !== title) parts.push(make(heading[1].length > 1 ? "h3" : "h2", {}, ...inline(heading[2], links)));
    } else if (item) {
      flush();
      const tag = /\d/.test(item[1]) ? "OL" : "UL";
      if (parts.at(-1)?.tagName !== tag) parts.push(make(tag));
      parts.at(-1).append(make("li", {}, ...inline(item[2], links)));
    } else if (line.trim()) block.push(line);
    else flush();
  }
  flush();
  return parts;
}

function inline(text, links) {
  for (const [raw, path, title] of links) {
    const at = text.indexOf(raw);
    if (at < 0) continue;
    const said = raw.startsWith("[[") ? title : raw.slice(1, raw.indexOf("]("));
    return [...inline(text.slice(0, at), links), link(path, said), ...inline(text.slice(at + raw.length), links)];
  }
  return text.split(/(\*\*[^*\n]+\*\*|`[^`\n]+`)/).map((part, place) =>
    place % 2 === 0 ? part : part[0] === "*" ? make("b", {}, part.slice(2, -2)) : make("code", {}, part.slice(1, -1)));
}

// One question at a time: what was typed meanwhile is asked when the answer is there.
async function search() {
  if (asking) return;
  asking = true;
  let query = null;
  while (query !== $("search").value.trim()) {
    query = $("search").value.trim();
    const said = query ? await ask(`search?q=${encodeURIComponent(query)}`) : null;
    if (query !== $("search").value.trim()) continue;
    if (!said) list();
    else if (said.error) $("count").textContent = said.error;
    else {
      $("count").textContent = said.found.length ? `${several(said.found.length, "note")} found, the best first` : "Nothing found.";
      $("list").replaceChildren(make("ol", { class: "plain" }, ...said.found.map((each) =>
        make("li", {}, link(each.path, each.title), make("p", { class: "small" }, each.text), make("p", { class: "soft small" }, `${each.path} (${each.why})`)))));
    }
  }
  asking = false;
}

$("search").addEventListener("input", () => {
  if (matchMedia("(max-width: 60rem)").matches) shut(); // it would stand before what is found
  search();
});
