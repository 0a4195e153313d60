/* A form with data-filter answers while one types or ticks; its button is for people without script. */
const PAUSE = 300;
const timers = new WeakMap();

function ask(form, pause) {
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(() => form.requestSubmit(), pause));
}

function filterOf(event) {
  return event.target.closest?.("form[data-filter][hx-get]");
}

document.addEventListener("input", (event) => {
  const form = filterOf(event);
  if (form) ask(form, event.target.matches("select, [type=checkbox], [type=radio]") ? 0 : PAUSE);
});
