/* How long a table waits until it asks again: little while somebody presses, longer while nobody does, rarely beside a stream of news, and
   longer and longer while nobody answers, though never long where presses wait on this phone. */
import { tracker } from "./table-pieces.js";
import { streams } from "./table-stream.js";
import { kept } from "./table-waiting.js";

const PAUSE = 2000;
const QUIET = 10000;
const STREAMED = 30000;
const LONGEST = 30000;
const LONGEST_WAITING = 8000;
const LIVELY = 2 * 60 * 1000;
let pressed = 0; /* when somebody pressed last, as far as this phone knows */
let failures = 0;

export const fails = () => failures > 0;

/* The page says how long nobody had pressed when it was made. */
function recall() {
  pressed = Date.now() - 1000 * Number(tracker()?.dataset.quiet ?? 0);
}

/* Somebody pressed, on this phone or another: more is to come soon. */
for (const press of ["table:pressed", "table:fresh"]) {
  document.addEventListener(press, () => {
    pressed = Date.now();
    failures = 0;
  });
}

export function answered(yes) {
  failures = yes ? 0 : failures + 1;
}

export function pause() {
  if (failures) return Math.min(PAUSE * 2 ** failures, kept().length ? LONGEST_WAITING : LONGEST);
  if (streams()) return STREAMED;
  return Date.now() - pressed < LIVELY ? PAUSE : QUIET;
}

document.addEventListener("page:fresh", recall);
recall();
