/* data-tracker: the table of a battle asks what changed, and never while nobody looks. An ended one is asked for once each time it is seen,
   and when the stream tells that it goes on. */
import { lineIs } from "./line.js";
import { ask, isSending } from "./table-ask.js";
import { say } from "./table-line.js";
import { answered, fails, pause } from "./table-pace.js";
import { isEnded, shown, take, tracker } from "./table-pieces.js";
import { streams } from "./table-stream.js";

let timer = 0;
let asking = false;
let told = 0; /* the version that the stream told of */

function wait(milliseconds) {
  clearTimeout(timer);
  if (fails() || !isEnded()) timer = setTimeout(poll, milliseconds);
}

async function poll() {
  clearTimeout(timer);
  if (document.hidden || asking || !tracker()) return;
  asking = true;
  const known = told;
  let [up, more] = [true, false];
  try {
    const answer = await ask();
    await take(answer);
    if (told === known) told = 0;
    more = answer.headers.has("X-Table-More") || told > shown(); /* what did not fit, or came since */
  } catch {
    up = false;
  }
  answered(up);
  say(up);
  lineIs(up);
  asking = false;
  wait(more ? 0 : pause());
}

/* Where the answer to a press is on its way it may hold what the stream tells of. */
function catchUp({ detail }) {
  told = Math.max(told, detail?.version ?? 0);
  if (told > shown() && !isSending()) poll();
}

/* A press did not get through, or the line is said to be back: not this page's own word. */
function hearLine({ detail: { up } }) {
  if (asking || !tracker() || up !== fails()) return;
  if (up) return poll();
  answered(false);
  wait(pause());
}

document.addEventListener("line", hearLine);
document.addEventListener("table:pressed", () => asking || wait(pause()));
document.addEventListener("table:stream", () => (streams() ? wait(pause()) : poll())); /* it came, or it broke */
for (const news of ["table:news", "table:fresh"]) document.addEventListener(news, catchUp);
for (const news of ["visibilitychange", "page:fresh"]) document.addEventListener(news, poll);
poll();
