/* data-stream: where the site has one, a stream tells of each new version of the table. It is open only while the page is seen. Where it
   breaks or falls silent the table is asked for as without it, and the stream is tried again later. */
import { tracker } from "./table-pieces.js";

const SILENCE = 40000; /* it beats every fifteen seconds */
const FIRST = 1000;
const LONGEST = 5 * 60 * 1000;
let source = null;
let up = false;
let watch = 0;
let again = 0;
let tries = 0;

export const streams = () => up;

function turn(now) {
  if (up === now) return;
  up = now;
  document.dispatchEvent(new Event("table:stream"));
}

function close() {
  clearTimeout(watch);
  clearTimeout(again);
  source?.close();
}

function fail() {
  close();
  again = setTimeout(listen, Math.min(FIRST * 2 ** tries, LONGEST));
  tries += 1;
  turn(false);
}

function hear({ type, data }) {
  clearTimeout(watch);
  watch = setTimeout(fail, SILENCE);
  turn(true);
  if (type === "beat") tries = 0; /* it lasts */
  else document.dispatchEvent(new CustomEvent("table:news", { detail: JSON.parse(data) }));
}

function listen() {
  close();
  const address = tracker()?.dataset.stream;
  if (!address || document.hidden) return turn(false);
  source = new EventSource(address);
  for (const news of ["beat", "table"]) source.addEventListener(news, hear);
  source.addEventListener("error", fail);
  watch = setTimeout(fail, SILENCE);
}

for (const news of ["visibilitychange", "page:fresh"]) document.addEventListener(news, listen);
listen();
