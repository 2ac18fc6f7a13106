// Asking the program that serves this page; when it has ended, waiting until it is there again.

import { $ } from "./draw.js";

const WAIT = "The program that serves this page does not answer. Start it again, and I go on by myself; what you type until then is kept in this browser: ";
const STRANGER = "Another program answers at this address. What you type is kept in this browser. Start the course when that has ended, or copy your text to the address that the course says now: ";
const token = location.pathname.split("/")[1];
let alone = false;

// Ask the course. What it says comes back, with `error` when it could not be done, and `status`: 0 for no answer.
export async function ask(what, body) {
  if (!alone) {
    try {
      const answer = await fetch(what, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
      if (answer.status === 404) tell(WAIT); // the token is not theirs
      return { status: answer.status, ...(await answer.json()) };
    } catch { tell(WAIT); }
  }
  return { status: 0, error: "Not now: the program does not answer." };
}

// Whether the course answers. While it does not, nothing is asked but whether it is there again.
export async function reached() {
  if (!alone) return true;
  try {
    const proof = await fetch(`/proof/${crypto.randomUUID()}`);
    if (await isOurs(proof.url, (await proof.json()).proof)) tell("");
    else tell(STRANGER);
  } catch { tell(WAIT); }
  return !alone;
}

// The token lets in whoever has it, so a stranger at this port must not hear it: who answers proves to know it first.
async function isOurs(url, proof) {
  const bytes = (text) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, bytes(`${location.port} ${url.split("/proof/")[1]}`));
  return proof === [...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tell(text) {
  alone = Boolean(text);
  $("waiting").hidden = !alone;
  if ($("waiting").dataset.said === text) return; // once: it is read aloud
  $("waiting").dataset.said = text;
  const command = document.createElement("code");
  command.textContent = "python -m lessons --web";
  $("waiting").replaceChildren(...(alone ? [text, command] : []));
}

export const isAlone = () => alone;
