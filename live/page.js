"use strict";
// What the page of a run that goes on has beside the player's own script (records/trace.html): events as they come, and
// what a person can do. Everything is put on the page as text here, too.

const live = JSON.parse($("data").textContent).live;
const shown = runs[0];
const queue = [];
const touched = new Set();  // steps that are not on the page as they are
const GONE = 10;  // tries to reach the program, until it is taken for ended
const FRAME = 40, SLICE = 8;  // milliseconds: between two drawings, and for reading events in one go
const delays = [];  // from each event to the page, in milliseconds
let follows = true, status = {}, drawnAt = 0, frameAt = 0, timer = 0, later = 0, ended = false, broken = 0;

for (const lines of Object.values(explained)) lines.link = `source?file=${encodeURIComponent(lines.file)}#L${lines.line}`;

// ---------------------------------------------------------------- events

const events = new EventSource(`events?run=${encodeURIComponent(live.run)}`);
events.addEventListener("message", (event) => { queue.push(event.data); soon(); });
events.addEventListener("state", (event) => { status = JSON.parse(event.data); if (status.last) events.close(); if (status.dead && !ended) dead(); drawControls(); });
events.addEventListener("open", () => { broken = 0; drawControls(); });
events.addEventListener("error", () => { broken++; if (broken > GONE && live.steers && !ended) dead(); drawControls(); });

function soon() { if (!timer) timer = setTimeout(read, Math.max(0, frameAt + FRAME - performance.now())); }

// Reads what has come, a little at a time, so that the page answers meanwhile; then draws.
function read() {
  timer = 0;
  const until = performance.now() + SLICE;
  let latest = null, count = 0;
  while (count < queue.length && performance.now() < until) {
    let event;
    try { event = JSON.parse(queue[count++]); } catch { continue; }
    if (event.kind === "finished") finish(event);
    for (const step of feed(shown, event)) touched.add(step);
    latest = event;
  }
  queue.splice(0, count);
  frameAt = performance.now();
  if (document.hidden && queue.length) return soon();
  drawNew();
  const happened = latest ? (shown.first.began + latest.at) * 1000 : 0;
  if (happened > performance.timeOrigin && delays.length < 10000) delays.push(Date.now() - happened);
  if (queue.length) soon();
}

function finish(event) {
  ended = true;
  shown.result = event.result;
  drawControls();
  refreshPatch();
}

// Whoever ran it was killed: no end stands in its trace.
function dead() {
  ended = true;
  shown.result = { ...shown.result, stop_reason: "did not end" };
  drawHead();
}

async function refreshPatch() {
  const said = await fetch(`patch?run=${encodeURIComponent(live.run)}`).then((answer) => answer.json(), () => null);
  if (said) { Object.assign(shown, said); if (state.tab === "Changes") draw(); }
}

// ---------------------------------------------------------------- drawing what is new

function drawNew() {
  const list = $("steps"), here = stepOf(shown);
  for (const step of touched) {
    const row = stepRow(step, step.index), old = list.children[step.index];
    if (old) { if (step === here) keepCurrent(old, row); old.replaceWith(row); } else list.append(row);
  }
  const before = last;
  last = shown.steps.length - 1;
  const moved = follows && last !== before;
  if (moved) state.step = Math.max(0, last);
  if (moved || before < 0 || touched.has(stepOf(shown))) draw();
  else $("where").textContent = `${state.step + 1} of ${last + 1}`;
  if (!ended) estimate();
  touched.clear();
  const soonest = drawnAt + (shown.turns.length > 100 ? 2000 : 400) - performance.now();
  if (!later) later = setTimeout(drawRest, ended && !queue.length ? 0 : Math.max(0, soonest));
}

// What is too much to draw for every word.
function drawRest() {
  later = 0;
  drawnAt = performance.now();
  drawHead();
  drawTimeline();
  markTimeline();
  if (state.tab === "Changes" && !ended) refreshPatch();
}

function keepCurrent(old, row) {
  const button = row.firstChild;
  button.tabIndex = old.firstChild.tabIndex;
  if (old.firstChild.hasAttribute("aria-current")) button.setAttribute("aria-current", "step");
  if (document.activeElement === old.firstChild) setTimeout(() => button.focus({ preventScroll: true }));
}

// What the result will say, as far as it is known.
function estimate() {
  const sum = (kind) => shown.turns.reduce((all, turn) => turn.usage?.[kind] == null ? all : (all ?? 0) + turn.usage[kind], null);
  shown.result = { ...shown.result, tokens: { input: sum("input"), output: sum("output") }, seconds: shown.end };
}

// ---------------------------------------------------------------- what a person can do

const button = (id, text, action) => el("button", { type: "button", id, onclick: action }, text);
const says = el("input", { id: "say", type: "text", autocomplete: "off", "aria-label": "A line to the model", placeholder: "Say something to the model while it works" });
const comment = el("input", { id: "comment", type: "text", autocomplete: "off", "aria-label": "A comment to the model", placeholder: "or say what to do instead" });
const where = el("p", { class: "state", id: "state", role: "status" });
const asks = el("div", { class: "asks", id: "asks", role: "group", "aria-label": "The run asks", tabindex: -1, hidden: true });
const buttons = {
  pause: button("pause", "Pause", () => act({ do: "pause" })),
  step: button("one-step", "One step", () => act({ do: "step" })),
  go: button("go", "Go on", () => act({ do: "go" })),
  stop: button("stop", "Stop", () => act({ do: "stop" })),
};
const fork = button("fork", "Fork here", openFork);
fork.title = "Go on from this step otherwise: in a copy, beside this run";
const beside = button("beside", "Beside its parent", () => location.assign(`compare?run=${encodeURIComponent(shown.first.forked.from)}&against=${encodeURIComponent(live.run)}`));
const talk = el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); send(); } }, says, el("button", {}, "Send"));
const controls = el("section", { class: "sheet live", "aria-label": "The run" },
  asks, el("div", { class: "row" }, where, live.steers ? Object.values(buttons) : [], live.forks ? fork : null, beside), live.steers ? talk : null);
$("timeline").before(controls);

async function act(what) {
  const answer = await fetch("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) }).catch(() => null);
  const said = answer ? await answer.json().catch(() => ({})) : { error: "nobody answers" };
  if (said.error && !ended) where.textContent = said.error;
  return !said.error;
}

async function send() {
  if (says.value.trim() && await act({ do: "say", text: says.value })) { says.value = ""; where.textContent = "The model reads it before its next turn."; }
}

function drawControls() {
  const end = String(shown.result.stop_reason).replace("_", " ");
  const unread = status.unread?.length ? ` The model has not read: ${status.unread.join(" / ")}` : "";
  where.textContent = ended && end === "did not end" ? "The run did not end: its program was killed." + unread
    : broken ? (ended ? "The run is over, and so is the program that showed it." : "No connection; trying again …") + unread
    : ended ? `The run is over: ${end}.${unread}`
    : status.question ? "The run waits for your answer." : status.waits ? `Paused before ${status.waits}.` : status.paused ? "It will pause before its next step." : "The run is under way.";
  const over = ended || status.over;
  const may = { pause: !over && !status.paused, step: !over && status.paused, go: !over && status.paused, stop: !over };
  for (const [name, each] of Object.entries(buttons)) each.disabled = Boolean(broken) || !may[name];
  const stands = over ? undefined : status.question ? "waiting for you" : status.waits ? "paused" : undefined;
  if (stands !== shown.stands) { shown.stands = stands; drawHead(); }
  beside.hidden = !shown.first.forked;
  fork.disabled = Boolean(broken);
  talk.hidden = Boolean(over);
  drawQuestion(status.question);
  talk.hidden ||= Boolean(status.question) && !says.value && document.activeElement !== says;  // one field to type in
  if (status.shown && status.shown !== live.run && !new URLSearchParams(location.search).has("run")) location.reload();
}

function drawQuestion(question) {
  if (asks.dataset.number === (question?.number ?? "")) return;
  asks.dataset.number = question?.number ?? "";
  asks.hidden = !question;
  // Whoever types goes on typing where a word presses no button; a comment on the question before is a line to the model.
  const typing = document.activeElement?.closest("input, textarea, dialog");
  if (comment.value) says.value = `${says.value} ${comment.value}`.trim();
  comment.value = "";
  if (typing === comment) says.focus();
  if (!question) return asks.replaceChildren();
  const answer = (answer) => async () => {
    const text = answer ? "" : comment.value;
    if (text) comment.value = "";
    if (!await act({ do: "answer", number: question.number, answer, text }) && text) says.value = text;
  };
  asks.replaceChildren(
    el("p", {}, "May it run ", el("b", {}, question.tool), "?"), el("p", { class: "call-line" }, question.about),
    question.change.length ? diffOf(question.change, Infinity) : "",  // whoever allows it sees all of it
    el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); if (comment.value.trim()) answer("")(); } },
      el("button", { type: "button", id: "yes", class: "main", onclick: answer("yes") }, "Yes"), button("no", "No", answer("no")), button("all", `Yes to every ${question.tool}`, answer("all")), comment, el("button", {}, "Send")));
  if (!typing) asks.focus();
}

// ---------------------------------------------------------------- forking

const forking = el("dialog", { class: "wide", id: "forking", "aria-labelledby": "forking-title" });
document.body.append(forking);

async function openFork() {
  const step = state.step + 1;
  const stands = await fetch(`stands?run=${encodeURIComponent(live.run)}&step=${step}`).then((answer) => answer.json(), () => ({ error: "nobody answers" }));
  if (stands.error) { where.textContent = stands.error; return; }
  const fields = Object.entries(stands).map(([name, value]) => {
    const plain = typeof value === "string", text = plain ? value : pretty(value);
    return { name, value, plain, area: el("textarea", { "aria-label": name, rows: Math.min(14, 3 + text.split("\n").length), id: `fork-${name.replace(" ", "-")}` }, text) };
  });
  const model = ["provider", "model"].map((name) => ({ name, area: el("input", { type: "text", "aria-label": name, placeholder: `${name}: as it was` }) }));
  const times = el("input", { type: "number", id: "times", min: 1, max: live.many, value: 1, required: true });
  const trouble = el("p", { role: "alert", class: "small" });
  const begin = async (event) => {
    event.preventDefault();
    try {
      const changes = {};
      for (const { name, value, plain, area } of fields) {
        const now = plain ? area.value : JSON.parse(area.value);
        if (JSON.stringify(now) !== JSON.stringify(value)) changes[name] = now;
      }
      const body = { run: live.run, step, times: Number(times.value), changes, ...Object.fromEntries(model.map(({ name, area }) => [name, area.value])) };
      trouble.textContent = "It begins …";
      const said = await fetch("fork", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).then((answer) => answer.json());
      if (said.error) throw new Error(said.error);
      if (said.outcomes) return outcomes(said.outcomes, step);
      if (!said.name) return location.assign(said.address);
      try { sessionStorage.setItem(`glassbox-own-${said.name}`, said.address); } catch { /* there may be no storage */ }
      location.assign(`compare?run=${encodeURIComponent(live.run)}&against=${encodeURIComponent(said.name)}`);
    } catch (error) { trouble.textContent = error.message; }
  };
  const own = fields.filter(({ name }) => !["prompt", "system prompt"].includes(name)), first = own.length ? own : fields.slice(0, 1);
  const rest = fields.filter((field) => !first.includes(field));
  const titles = { text: "What the model says", calls: "What it calls, as JSON", typed: "What you say" };
  const area = ({ name, area }) => block(titles[name] ?? name[0].toUpperCase() + name.slice(1), area);
  forking.replaceChildren(el("h2", { id: "forking-title" }, `Fork at step ${step}: change something, and see what comes of it`),
    el("p", { class: "small soft" }, "It begins with the conversation up to here and the files as they were then, in a copy of their own; this run stays as it is. What is in its record is taken from there, and costs nothing."),
    el("form", { onsubmit: begin }, ...first.map(area), el("details", {}, el("summary", {}, el("span", { class: "name" }, "More to change")), ...rest.map(area), el("div", { class: "row" }, ...model.map(({ area }) => area))),
      live.many > 1 ? el("label", { class: "small" }, "How many times: ", times) : null, el("div", { class: "row" }, el("button", { id: "begin", class: "main" }, "Begin the fork"), el("button", { type: "button", onclick: () => forking.close() }, "Cancel")), trouble));
  forking.showModal();
  first[0].area.focus();
}

// What came of many branches of one step, as they end: each outcome with its share, and the runs behind it.
async function outcomes(number, step) {
  const stands = el("p", { class: "small", role: "status" }), table = el("div", { class: "scroll" });
  const close = el("button", { type: "button", id: "leave", onclick: () => forking.close() }, "Close");
  forking.replaceChildren(el("h2", { id: "forking-title" }, `What comes of step ${step}`), stands, table, el("div", { class: "row" }, close));
  close.focus();
  for (let told = {}, open = []; forking.open && table.isConnected && !told.over; await new Promise((wake) => setTimeout(wake, 700))) {
    told = await fetch(`outcomes?of=${number}`).then((answer) => answer.json(), () => ({ over: true, error: "nobody answers", outcomes: [], times: 0 }));
    const made = told.outcomes.reduce((sum, each) => sum + each.runs.length, 0), percent = (share) => Math.round(100 * share);
    stands.textContent = `${made} of ${told.times} branches are over.${told.error ? ` ${told.error}` : told.over ? "" : " They go on when this is closed."}`;
    open = [...table.querySelectorAll("details")].map((each) => each.open);
    if (document.activeElement && table.contains(document.activeElement) && !told.over) continue;  // somebody is about to choose
    table.replaceChildren(el("table", { class: "outcomes" }, el("thead", {}, el("tr", {}, ["Outcome", "Share", "95 %"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, told.outcomes.map((each, n) => el("tr", {},
      el("td", {}, el("details", { open: open[n] ?? false }, el("summary", {}, el("span", { class: "name" }, each.ended)), el("ul", {}, each.runs.filter(Boolean).map((run) => el("li", {},
        el("a", { href: `compare?run=${encodeURIComponent(live.run)}&against=${encodeURIComponent(run)}`, target: "_blank" }, run)))))),
      el("td", {}, each.high ? `${percent(each.share)} % (${each.runs.length})` : String(each.runs.length)), el("td", {}, each.high ? `${percent(each.low)}–${percent(each.high)} %` : ""))))));
  }
}

// ---------------------------------------------------------------- keys, and where one looks

$("tabs").addEventListener("click", () => { if (state.tab === "Changes") refreshPatch(); });
addEventListener("keydown", () => { setTimeout(() => { follows = state.step >= last; }); });
addEventListener("click", () => { setTimeout(() => { follows = state.step >= last; }); });
Object.assign(KEYS, {
  ...(live.steers ? { " ": () => (status.paused ? buttons.go : buttons.pause).click(), s: () => buttons.step.click() } : {}),
  ...(live.forks ? { f: openFork } : {}),
  4: () => { show("Changes"); refreshPatch(); },
});
$("keys").querySelector("dl").append(...[
  ...(live.steers ? [["Space", "pause, go on"], ["s", "one step"]] : []), ...(live.forks ? [["f", "fork at this step"]] : []),
].flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]));
window.glassbox = { delays };
drawControls();
