/* After 300 ms without an answer the pressed button says that it is busy. */
const PATIENCE = 300;
const waiting = new Map();

function rest(form) {
  const press = waiting.get(form);
  if (!press) return;
  clearTimeout(press.timer);
  press.button.removeAttribute("aria-busy");
  waiting.delete(form);
}

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button) return;
  rest(event.target);
  const timer = setTimeout(() => button.setAttribute("aria-busy", "true"), PATIENCE);
  waiting.set(event.target, { button, timer });
});

document.addEventListener("htmx:finally:request", () => {
  for (const form of [...waiting.keys()]) rest(form);
});

/* Back to a page that the browser kept. */
window.addEventListener("pageshow", () => {
  for (const form of [...waiting.keys()]) rest(form);
});
