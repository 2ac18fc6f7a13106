// The learner's file: edited here, saved over what was read and nothing else, checked after each save.

import { draftOf, dropDraft, keepDraft } from "./drafts.js";
import { $, el, verdictOf } from "./draw.js";
import { ask, isAlone, reached } from "./reach.js";

const PAUSE = 1000; // milliseconds without a key, after which it is saved
const LOOK = 1000; // milliseconds between two looks at the file on the disk
const PATIENCE = 2; // looks after which a missing file is gone, and not just being replaced

// `hash`, `text`: of the file as this page knows it; `whose`: the learner's folder and the lesson, as drafts are kept.
export const desk = { lesson: 0, hash: "", text: "", whose: "", loaded: false };
let editor = null, timer = 0, saving = null, checking = false, again = false, conflict = null, missing = 0;

export const isDirty = () => Boolean(editor) && desk.loaded && editor.text() !== desk.text;
export const focusEditor = () => editor.focus();
const status = (text) => { $("saved").textContent = text; };

// Show a lesson's file. `told` is what the server said of it.
export function openDesk(told, onVerdict, onReset) {
  editor ??= window.openEditor({
    parent: $("editor"), label: "Your file", nonce: $("script").dataset.nonce, changed,
    keys: [{ key: "Mod-s", run: () => { save(); return true; }, preventDefault: true }, { key: "Escape", run: () => { ($("conflict").querySelector("button") ?? $("check")).focus(); return true; } }],
  });
  $("editor").querySelector(".cm-content").tabIndex = 0; // that keys reach what is scrolled is seen by tools, too
  clearTimeout(timer);
  const whose = `${told.learner}-${told.number}`, anew = told.number === desk.lesson;
  Object.assign(desk, { lesson: told.number, hash: told.hash ?? "", text: told.text ?? "", whose, loaded: told.text != null, onVerdict, onReset });
  settle();
  if (anew) editor.replace(desk.text); // undo brings back what stood there
  else {
    editor.fresh(desk.text);
    $("editor").querySelector(".cm-scroller").scrollTop = $("desk").scrollTop = $("found").scrollTop = 0; // not where the file before was left
  }
  $("editor").hidden = !desk.loaded;
  $("file").textContent = told.file;
  $("path").textContent = `On your disk: ${told.path}`;
  status(told.problem ?? "");
  $("verdict").replaceChildren();
  if (desk.loaded) takeUp(draftOf(whose));
}

// What was typed before this page was opened, and is not on the disk.
function takeUp(draft) {
  if (!draft || draft.text === desk.text) return dropDraft(desk.whose, desk.text);
  editor.replace(draft.text);
  if (draft.seen !== desk.hash) return disagree({ hash: desk.hash, text: desk.text, over: draft.seen });
  status("This is what you had typed; it was not saved yet.");
  timer = setTimeout(() => save(), PAUSE);
}

function changed() {
  status("not saved yet");
  keepDraft(desk.whose, editor.text(), conflict?.over ?? desk.hash);
  clearTimeout(timer);
  timer = setTimeout(() => save(), PAUSE);
}

// Save what is in the editor, then check it. One save is under way at a time; `keep`: put aside what is on the disk.
export async function save({ keep = false, check: checks = true } = {}) {
  clearTimeout(timer);
  while (saving) await saving;
  if (!desk.loaded || (conflict && !keep)) return false;
  const { lesson, whose } = desk, text = editor.text();
  if (text !== desk.text || keep) {
    saving = ask("save", { lesson, text, seen: desk.hash, keep });
    const told = await saving;
    saving = null;
    if (told.status === 409 && (told.gone || told.text !== text)) { told.gone ? isGone() : disagree(told); return false; }
    if (told.error && told.status !== 409) {
      status(isAlone() ? "not saved yet" : told.error); // what is waited for is saved when it is there again
      if (!isAlone()) timer = setTimeout(() => save(), 5 * PAUSE);
      return false;
    }
    dropDraft(whose, text);
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
    $("verdict").ariaBusy = "true"; // what stands there is of the file before
    const found = await ask("check", { lesson });
    if (lesson !== desk.lesson) continue; // it is of no interest any more
    status(found.error ?? `checked in ${found.seconds} s`);
    if (!found.error) { $("verdict").replaceChildren(...verdictOf(found)); desk.onVerdict(found); }
  } while (again);
  $("verdict").ariaBusy = "false";
  checking = false;
}

// The file on the disk is another than the one that was read, and so is the text on the page: a person decides.
function disagree(told) {
  askPerson(told, [
    el("p", {}, el("b", {}, "This file has changed on the disk"), ", in an editor or in the terminal, and you have changed it here. Nothing was overwritten: yours stands below, in the editor."),
    el("details", { open: true }, el("summary", {}, "The one on the disk"), el("pre", { tabindex: "0", id: "other" }, told.text || "(it is empty)")),
  ], [
    el("button", { id: "theirs", onclick: () => { load(told); check(); } }, "Take the one on the disk"),
    el("button", { id: "mine", onclick: () => { desk.hash = told.hash; save({ keep: true }); } }, "Keep what is here, and put the other aside"),
  ]);
}

function isGone() {
  askPerson({ hash: "", gone: true }, [
    el("p", {}, el("b", {}, "The file is gone from the disk"), " (deleted, renamed or moved). What stands below, in the editor, is what you had."),
  ], [
    el("button", { id: "mine", onclick: () => { desk.hash = ""; save({ keep: true }); } }, "Write it again from here"),
    el("button", { id: "start", onclick: () => { dropDraft(desk.whose, editor.text()); desk.onReset(); } }, "Put its start there"),
  ]);
}

function askPerson(what, sentences, buttons) {
  clearTimeout(timer);
  conflict = what;
  $("conflict").hidden = false;
  $("conflict").replaceChildren(...sentences, el("p", { class: "buttons" }, buttons));
  status("not saved");
  if (!$("editor").contains(document.activeElement)) buttons[0].focus(); // who types would choose by a space; Escape leads there
}

function settle() {
  conflict = null;
  missing = 0;
  $("conflict").hidden = true;
  $("conflict").replaceChildren();
}

// Take what is on the disk. What was typed stays in the editor's history, where undo finds it.
function load(told) {
  dropDraft(desk.whose, editor.text());
  Object.assign(desk, { hash: told.hash, text: told.text, loaded: true });
  $("editor").hidden = false;
  editor.replace(told.text);
  settle();
}

// Look at the disk: what an editor or the terminal has saved appears here.
export async function look(onDone) {
  if (!document.hidden && desk.lesson && !saving) await compare(onDone);
  setTimeout(() => look(onDone), LOOK);
}

async function compare(onDone) {
  const { lesson, hash } = desk, waited = isAlone();
  if (!(await reached())) return;
  const told = await ask(`look?lesson=${lesson}&seen=${encodeURIComponent(hash)}`);
  if (lesson !== desk.lesson || hash !== desk.hash || saving || told.status !== 200) return;
  onDone(told.done);
  missing = told.gone ? missing + 1 : 0;
  if (told.gone) { if (missing >= PATIENCE && !conflict?.gone) isGone(); return; }
  if (conflict?.gone) { settle(); status("The file is there again."); }
  if (told.text != null && told.hash !== desk.hash) {
    if (isDirty() && editor.text() !== told.text) { if (conflict?.hash !== told.hash) disagree(told); }
    else { load(told); status("It has changed on the disk; this is how it stands there now."); await check(); }
  } else if (waited) {
    status("The program is there again.");
    if (isDirty()) await save();
  }
}

addEventListener("pagehide", () => {
  if (isDirty() && !conflict && !isAlone()) fetch("save", { method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ lesson: desk.lesson, text: editor.text(), seen: desk.hash }) });
});
