// Drawing: data of the course as elements. What a learner's code says is put on the page as text alone.

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat());
  return element;
}

// A page of the course, which came as HTML that the server has made of its own files.
export function html(text, name = "div", attributes = {}) {
  const element = el(name, attributes);
  element.innerHTML = text;
  return element;
}

const MARKS = { ok: "ok", failed: "not yet", skipped: "skipped" };

export function verdictOf(found) {
  const first = found.cases.find((each) => each.state === "failed");
  return [
    el("p", { class: `sentence ${found.state}` }, found.sentence),
    first ? firstOf(first) : "",
    found.cases.length ? el("ul", { class: "cases" }, found.cases.map((each) =>
      el("li", { class: each.state }, el("span", { class: "mark" }, MARKS[each.state]), " ", each.title))) : "",
    found.printed.trim() ? el("details", { open: true }, el("summary", {}, "Your code printed"), el("pre", { tabindex: "0" }, found.printed.trimEnd())) : "",
    [found.yours, found.lent].filter(Boolean).map((each) => el("p", { class: "soft small" }, each)),
    found.broken.map((each) => el("p", { class: "failed" }, each)),
    found.picture.map(([heading, text]) => el("figure", {}, el("figcaption", {}, heading), el("pre", { tabindex: "0" }, text))),
  ].flat();
}

function firstOf(failed) {
  const rows = ["called", "got", "expected", "why"].filter((name) => failed[name])
    .flatMap((name) => [el("dt", {}, name), el("dd", {}, failed[name])]);
  return el("div", { class: "first" }, el("p", {}, "The first that does not: ", el("b", {}, failed.title)), el("dl", {}, rows));
}

export function lessonsOf(lessons, here, open) {
  return lessons.map(({ number, title, done }) => {
    const link = el("a", { href: `#${number}`, "aria-current": number === here ? "page" : null, onclick: () => open(number) }, `${number}. ${title}`);
    return el("li", { class: done ? "done" : null }, link, done ? el("span", { class: "mark" }, " done") : "");
  });
}

export function questionOf(question, answer, skip) {
  return [
    el("h2", {}, "Before you read: what do you think?"),
    html(question.text),
    el("div", { class: "choices" }, question.choices.map(([letter, text]) =>
      el("button", { id: `choice-${letter}`, onclick: () => answer(letter) }, el("kbd", {}, letter), html(text)))),
    el("p", {}, el("button", { id: "skip-question", onclick: skip }, "Straight to the text ", el("kbd", {}, "Enter"))),
  ];
}

export function reallyOf(found, question, chosen) {
  const mark = (letter) => [letter === chosen ? "your choice" : "", letter === found.letter ? "right" : ""].filter(Boolean).join(", ");
  return [
    el("h2", {}, "Before you read"), html(question.text),
    el("ul", { class: "choices" }, question.choices.map(([letter, text]) =>
      el("li", { class: letter === found.letter ? "ok" : null }, el("kbd", {}, letter), html(text), mark(letter) ? el("b", {}, mark(letter)) : ""))),
    el("p", { class: found.right ? "ok" : "failed" }, found.said), el("p", {}, found.really),
    el("pre", { tabindex: "0" }, found.output), html(found.because),
  ];
}
