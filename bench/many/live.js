"use strict";
// What the page of a batch that runs has beside its own script (page.html): each record on its square as it comes. They
// come under their numbers, so that a page which was away misses nothing.

const GONE = 4;  // tries to reach the program, until it is taken for ended
const DRAW = 150;  // milliseconds between two counts of all squares
const records = new EventSource(`records?after=${data.live.after}`);
let going = [], broken = 0, timer = 0, drawnAt = 0;

function soon() {
  timer ||= setTimeout(() => { timer = 0; filter(); drawnAt = performance.now(); }, Math.max(0, drawnAt + DRAW - performance.now()));
}

// Marks the runs that are under way; one that was and has no record waits again: its worker was lost.
function mark(now) {
  const change = (from, to) => ([task, repeat]) => { if (squares.get(key(task, repeat))?.state === from) put({ task, repeat, outcome: to }); };
  going.forEach(change("going", "waiting"));
  now.forEach(change("waiting", "going"));
  going = now;
}

records.addEventListener("message", (event) => {
  const { runs, going, total, ...figures } = JSON.parse(event.data);
  if (total !== data.total) { location.reload(); return; }  // a second round of the same command
  runs.forEach(put);
  mark(going);
  Object.assign(data, figures);
  soon();
});
records.addEventListener("open", () => { broken = 0; });
records.addEventListener("error", () => {
  broken++;
  if (broken === GONE && !data.over) { data.dead = true; mark([]); soon(); }
});
