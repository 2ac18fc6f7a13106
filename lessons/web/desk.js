// The learner's file: edited here, saved over what was read and nothing else, checked after each save.

import { $, el, verdictOf } from "./draw.js";

const PAUSE = 1000; // milliseconds without a key, after which it is saved
const LOOK = 1000; // milliseconds between two looks at the file on the disk

export const desk = { lesson: 0, hash: "", text: "", loaded: false }; // `hash`, `text`: of the file as this page knows it
let editor = null, timer = 0, saving = null, checking = false, again = false, conflict = null;

// Ask the course. What it says comes back, with `error` when it could not be done, and `status`.
export async function ask(what, body) {
  try {
    const answer = await fetch(what, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { status: 0, error: "The program that serves this page does not answer. What you type stays here and nowhere else: start python -m lessons --web again, and copy it to the new page." };
  }
}

export const isDirty = () => Boolean(editor) && desk.loaded && editor.text() !== desk.text;
export const focusEditor = () => editor.focus();
const status = (text) => { $("saved").textContent = text; };

// Show a lesson's file. `told` is what the server said of it.
export function openDesk(told, onVerdict) {
  editor ??= window.openEditor({
    parent: $("editor"), label: "Your file", nonce: $("script").dataset.nonce, changed,
    keys: [{ key: "Mod-s", run: () => { save(); return true; }, preventDefault: true }, { key: "Escape", run: () => { $("check").focus(); return true; } }],
  });
  clearTimeout(timer);
  Object.assign(desk, { lesson: told.number, hash: told.hash ?? "", text: told.text ?? "", loaded: told.text != null, onVerdict });
  settle();
  editor.fresh(desk.text);
  $("editor").hidden = !desk.loaded;
  $("file").textContent = told.file;
  $("path").textContent = `On your disk: ${told.path}`;
  status(told.problem ?? "");
  $("verdict").replaceChildren();
}

function changed() {
  status("not saved yet");
  clearTimeout(timer);
  timer = setTimeout(() => save(), PAUSE);
}

// Save what is in the editor, then check it. One save is under way at a time; `keep`: put aside what is on the disk.
export async function save({ keep = false, check: checks = true } = {}) {
  clearTimeout(timer);
  while (saving) await saving;
  if (!desk.loaded || (conflict && !keep)) return false;
  const lesson = desk.lesson, text = editor.text();
  if (text !== desk.text || keep) {
    saving = ask("save", { lesson, text, seen: desk.hash, keep });
    const told = await saving;
    saving = null;
    if (told.status === 409 && told.text !== text) { disagree(told); return false; }
    if (told.error && told.status !== 409) { status(told.error); timer = setTimeout(() => save(), 5 * PAUSE); return false; }
    if (lesson === desk.lesson) Object.assign(desk, { hash: told.hash, text });
    settle();
    status(`saved ${told.kept ?? ""}`);
  }
  if (checks && lesson === desk.lesson) await check();
  return true;
}

export async function check() {
  if (checking) { again = true; return; }
  checking = true;
  do {
    again = false;
    const lesson = desk.lesson;
    status("checking …");
    const found = await ask("check", { lesson });
    if (lesson !== desk.lesson) continue; // it is of no interest any more
    status(found.error ?? `checked in ${found.seconds} s`);
    if (!found.error) { $("verdict").replaceChildren(...verdictOf(found)); desk.onVerdict(found); }
  } while (again);
  checking = false;
}

// The file on the disk is another than the one that was read, and so is the text on the page: a person decides.
function disagree(told) {
  clearTimeout(timer);
  conflict = told;
  $("conflict").hidden = false;
  $("conflict").replaceChildren(
    el("p", {}, el("b", {}, "This file has changed on the disk"), ", in an editor or in the terminal, and you have changed it here. Nothing was overwritten."),
    el("p", { class: "buttons" },
      el("button", { id: "theirs", onclick: () => { load(told); check(); } }, "Take the one on the disk"),
      el("button", { id: "mine", onclick: () => { desk.hash = told.hash; save({ keep: true }); } }, "Keep what is here, and put the other aside")));
  status("not saved");
  $("theirs").focus();
}

function settle() {
  conflict = null;
  $("conflict").hidden = true;
  $("conflict").replaceChildren();
}

function load(told) {
  Object.assign(desk, { hash: told.hash, text: told.text, loaded: true });
  $("editor").hidden = false;
  editor.replace(told.text);
  settle();
}

// Look at the disk: what an editor or the terminal has saved appears here.
export async function look(onDone) {
  const { lesson, hash } = desk;
  const told = lesson && !saving && !document.hidden ? await ask(`look?lesson=${lesson}&seen=${encodeURIComponent(hash)}`) : null;
  const stale = !told || lesson !== desk.lesson || hash !== desk.hash || saving;
  if (told?.status === 0) status(told.error);
  else if (!stale && told.status === 200) {
    onDone(told.done);
    if (told.text != null && told.hash !== desk.hash) {
      if (isDirty() && editor.text() !== told.text) { if (conflict?.hash !== told.hash) disagree(told); }
      else if (told.hash) { load(told); status("It has changed on the disk; this is how it stands there now."); await check(); }
      else status("The file is gone from the disk. Ctrl-S after a change writes it again; Start anew puts its start back.");
    }
  }
  setTimeout(() => look(onDone), LOOK);
}

addEventListener("pagehide", () => {
  if (isDirty() && !conflict) fetch("save", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ lesson: desk.lesson, text: editor.text(), seen: desk.hash }) });
});
