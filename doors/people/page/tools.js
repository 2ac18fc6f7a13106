// What every part of the page uses: elements made of texts, and asking the program.

export const $ = (id) => document.getElementById(id);

// An element with attributes and what is in it; whatever a note or a model says is text here, and never HTML.
export function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

// A link that opens a note here; in a page of its own it leads to the same.
export const toNote = (path, said, open) => make("a", { href: `#${encodeURIComponent(path)}`, onclick: (event) => { event.preventDefault(); open(path); } }, said);

// Ask the program. What it says comes back, with `error`, a sentence, where it could not be done.
export async function ask(what, body) {
  try {
    const how = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    return await (await fetch(what, how)).json();
  } catch { return { error: "The program does not answer. Is it still running in its terminal?" }; }
}

export const several = (number, one, more = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : more}`;
