/* data-tracker: the table of a battle. It asks every two seconds what changed, and never while nobody looks. */
import { lineIs } from "./line.js";
import { take, tracker } from "./table-pieces.js";

const PAUSE = 2000;
const PATIENCE = 8000;
let timer = 0;
let heard = Date.now();
let asking = false;

/* Ask for what changed since the version shown, or send an act and hear the same. */
export function ask(options = {}) {
  const { tracker: here, version } = tracker().dataset;
  const address = `${here}?since=${encodeURIComponent(version)}`;
  return fetch(address, { cache: "no-store", headers: { "X-Table": "1" }, signal: AbortSignal.timeout(PATIENCE), ...options });
}

function say(up) {
  if (up) heard = Date.now();
  const seconds = Math.round((Date.now() - heard) / 1000);
  const told = up ? "in sync" : `offline ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const words = document.querySelector("[data-line-words]");
  if (words && words.textContent !== told) words.textContent = told;
  tracker()?.toggleAttribute("data-no-line", !up);
}

async function poll() {
  clearTimeout(timer);
  if (document.hidden || asking || !tracker()) return;
  asking = true;
  let pause = PAUSE;
  try {
    const answer = await ask();
    await take(answer);
    if (answer.headers.has("X-Table-More")) pause = 0; /* the rest of what did not fit */
    say(true);
    lineIs(true);
  } catch {
    say(false);
    lineIs(false);
  }
  asking = false;
  timer = setTimeout(poll, pause);
}

document.addEventListener("visibilitychange", poll);
document.addEventListener("page:fresh", poll); /* a table took the place of another page, or of one that stood still */
poll();
