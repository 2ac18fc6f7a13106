// The page as a whole: which part is shown where there is room for one, and files that are dragged in.
import { $, ask } from "./tools.js";
import { draw } from "./links.js";
import { look, open } from "./shelf.js";
import { begin, tell } from "./talk.js";

let largest = 0;

export function show(view) {
  document.body.dataset.view = view;
  for (const each of ["talk", "notes"]) $(`to-${each}`).setAttribute("aria-pressed", String(each === view));
}

$("to-talk").addEventListener("click", () => { show("talk"); $("message").focus(); });
$("to-notes").addEventListener("click", () => { show("notes"); $("search").focus(); });
$("to-links").addEventListener("click", () => draw((path) => { show("notes"); open(path); }));

async function add(files) {
  show("talk");
  for (const file of files) {
    if (file.size > largest) { tell(`${file.name} is larger than ${largest.toLocaleString("en")} bytes, too much for one note.`); continue; }
    const data = await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
      reader.onerror = () => done(null);
      reader.readAsDataURL(file);
    });
    const said = data === null ? { error: `${file.name} cannot be read. If it is a folder, drag its files in.` } : await ask("file", { name: file.name, data });
    tell(said.error ?? "");
    if (said.error) break;
  }
}

$("files").addEventListener("change", async () => { await add([...$("files").files]); $("files").value = ""; });
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("over"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  add([...event.dataTransfer.files]);
});

show("talk");
const now = await begin((path) => { show("notes"); open(path); }, look);
if (now.about) {
  largest = now.largest;
  $("whose").textContent = document.title = now.about.name ? `Notes of ${now.about.name}` : "Notes";
  $("where").textContent = `In ${now.about.where}. You talk to ${now.about.model}.`;
}
await look();
if (location.hash) { show("notes"); open(decodeURIComponent(location.hash.slice(1))); }
