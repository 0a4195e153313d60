/* data-unit: one fighter is open at a time. Its panel is fetched when it opens, and the address says which one is open. */
const OPEN = "details[data-unit][open]";

function address(unit) {
  return unit ? unit.dataset.unit : location.pathname;
}

function opened(unit) {
  for (const other of document.querySelectorAll(OPEN)) if (other !== unit) other.open = false;
  history.replaceState(history.state, "", address(unit));
  unit.querySelector("[data-load]").dispatchEvent(new CustomEvent("open-unit"));
}

function closed(unit) {
  unit.querySelector("#shop")?.remove(); /* one shop is in the page at a time */
  if (!document.querySelector(OPEN)) history.replaceState(history.state, "", address(null));
}

/* A block that came open has its panel: nothing is fetched for it until it was closed. */
const known = new WeakSet(document.querySelectorAll(OPEN));

document.addEventListener(
  "toggle",
  (event) => {
    const unit = event.target;
    if (!unit.matches?.("details[data-unit]")) return;
    if (unit.open && known.has(unit)) known.delete(unit);
    else if (unit.open) opened(unit);
    else closed(unit);
  },
  true,
);

/* These pages have several parts with forms: an answer to one of them brings the version of the roster for all. */
document.addEventListener("htmx:after:swap", () => {
  const seen = document.querySelector(".builder, [data-presses]") && document.querySelector("#budget_bar")?.dataset.seen;
  if (!seen) return;
  for (const field of document.querySelectorAll("input[name=seen]")) if (field.value !== seen) field.value = seen;
});
