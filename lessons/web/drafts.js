// What was typed and could not be saved yet, kept in this browser for the case that the page or the program ends.
// `whose` names the learner's folder and the lesson; `seen` is the fingerprint of the file over which it was typed.

const key = (whose) => `glassbox-draft-${whose}`;

export function draftOf(whose) {
  try { return JSON.parse(localStorage.getItem(key(whose))); } catch { return null; }
}

export function keepDraft(whose, text, seen) {
  try { localStorage.setItem(key(whose), JSON.stringify({ text, seen })); } catch { /* there may be no storage, or no room */ }
}

// This text is on the disk now. A draft of another page's stays.
export function dropDraft(whose, text) {
  if (draftOf(whose)?.text === text) localStorage.removeItem(key(whose));
}
