"use strict";
// What the page of two runs has beside the player's own script where one of them goes on: its events as they come, and the
// tracks aligned anew, so that a branch grows beside its parent.

const GAP = 300;  // milliseconds between two drawings, and more where one takes long
const going = runs.filter((_, place) => JSON.parse($("data").textContent).going[place]);
let due = 0, pause = 0, follows = true;

for (const run of going) {
  const events = new EventSource(`events?run=${encodeURIComponent(run.name)}`);
  events.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    if (told.kind === "finished") ended(run, told.result);
    feed(run, told);
    soon();
  });
  events.addEventListener("state", (event) => {
    const { dead, last } = JSON.parse(event.data);
    if (last) events.close();
    if (dead && run.result.stop_reason === "running") ended(run, { ...run.result, stop_reason: "did not end" });
  });
}

function soon() { due ||= setTimeout(again, pause); }

async function ended(run, result) {
  run.result = result;
  const said = await fetch(`patch?run=${encodeURIComponent(run.name)}`).then((answer) => answer.json(), () => null);
  Object.assign(run, said);
  soon();
}

// Whoever follows sees the newest step; whoever looks at another one goes on looking at it.
function again() {
  const began = performance.now(), here = tracks[state.step]?.steps.find(Boolean), focused = $("steps").contains(document.activeElement);
  due = 0;
  tracks = aligned(runs[0].steps, runs[1].steps);
  last = tracks.length - 1;
  const newest = Math.max(...going.map((run) => tracks.findLastIndex((track) => track.steps[runs.indexOf(run)])));
  drawHead();
  const on = going.some((run) => run.result.stop_reason === "running");
  if (own && on) $("runs").append(el("p", {}, el("a", { href: own, id: "own" }, "The branch alone: pause it, talk to it, stop it")));
  drawTimeline();
  drawSteps();
  go(follows ? (on || parted > last ? newest : parted) : tracks.findIndex((track) => track.steps.includes(here)));
  if (focused) $("steps").querySelector("[aria-current]")?.focus({ preventScroll: true });
  pause = Math.max(GAP, 5 * (performance.now() - began));
}

let own = null;  // the address of a branch's own page, kept by the page that began it
try { own = going.map((run) => sessionStorage.getItem(`glassbox-own-${run.name}`)).find(Boolean); } catch { /* there may be no storage */ }
const looks = () => { follows = state.step >= tracks.findLastIndex((track) => going.some((run) => track.steps[runs.indexOf(run)])); };
for (const kind of ["keydown", "click"]) addEventListener(kind, () => setTimeout(looks));
$("scrub").addEventListener("input", looks);
