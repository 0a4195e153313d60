/* A press keeps the list under the thumb: what grew above it, and rows that changed places, must not carry the page away. */
let held = null;

document.addEventListener("htmx:before:swap", () => {
  const head = document.activeElement?.closest("section")?.querySelector(":is(h2, h3)[id]");
  held = head ? { id: head.id, top: head.getBoundingClientRect().top } : null;
});

document.addEventListener("htmx:after:swap", () => {
  const head = held && document.getElementById(held.id);
  if (head) {
    window.scrollBy({ top: head.getBoundingClientRect().top - held.top, behavior: "instant" });
    const focused = document.activeElement;
    if (focused?.matches("a:focus-visible, button:focus-visible")) focused.scrollIntoView({ block: "nearest" });
  }
  held = null;
});

/* What a swap brought takes the focus where it asks for it: a summary of what stands in the way. */
document.addEventListener("htmx:after:swap", () => {
  const next = document.querySelector("[data-next]"); /* what was pressed is gone: go on where the page says */
  if (next && document.activeElement === document.body) next.focus();
  const summary = document.querySelector("[role=alert][autofocus]");
  if (summary && !summary.contains(document.activeElement)) {
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: "nearest" });
  }
});

/* A field that is wrong may be folded away. */
function unfold() {
  for (let fold = document.querySelector("[aria-invalid][autofocus]")?.closest("details:not([open])"); fold; fold = fold.closest("details:not([open])")) fold.open = true;
}
document.addEventListener("htmx:after:swap", unfold);
unfold();

/* Loaded as a whole page, autofocus does not reach an element that is no control. */
document.querySelector("[role=alert][autofocus]")?.focus();
