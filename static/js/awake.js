/* data-tracker: the screen stays on while a table that is played on is in view, where the browser can do that. */
import { isEnded, tracker } from "./table-pieces.js";

let lock = null;
let busy = false;

const isHeld = () => lock !== null && !lock.released;
const isWanted = () => Boolean(tracker()) && !document.hidden && !isEnded();

/* A browser lets go by itself when the page is hidden, or the battery low. It may say no: then the next look or press asks again. */
async function mind() {
  if (busy || !navigator.wakeLock) return;
  busy = true;
  try {
    while (isWanted() !== isHeld()) {
      if (isWanted()) lock = await navigator.wakeLock.request("screen");
      else await lock.release();
    }
  } catch {
    /* the screen turns off as it always does */
  }
  busy = false;
}

for (const news of ["visibilitychange", "page:fresh", "table:fresh"]) document.addEventListener(news, mind);
mind();
