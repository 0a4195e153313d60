/* A second tap on the same spot that finds another button there, since an answer moved the page in between, does nothing.
   The strip under the thumb is left out: the next act stands there on purpose. */
const STRIP = "#t_strip, .act-strip";
const SOON = 700;
const NEAR = 24;
let last = null; /* the press before: which button, where, when */
let moved = false; /* an answer was put on the page since */

function isSlip(event, button) {
  if (!last || !moved || button.closest(STRIP) || button.id === last.id || event.timeStamp - last.time > SOON || scrollY !== last.scrolled) return false;
  return Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, summary, a");
  if (!button || event.detail === 0) return; /* a key, or a script */
  if (isSlip(event, button)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  last = { id: button.id, x: event.clientX, y: event.clientY, time: event.timeStamp, scrolled: scrollY };
  moved = false;
}, { capture: true });

for (const news of ["htmx:after:swap", "table:fresh", "page:fresh"]) document.addEventListener(news, () => { moved = true; });
