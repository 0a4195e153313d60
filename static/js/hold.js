/* A pressed row stays where it was: what went above it is scrolled away, in the page or in the part that scrolls by itself. */
const room = new CSSStyleSheet();
let free = 0;
document.adoptedStyleSheets.push(room);

/* Room above the rows of a shop, for what cannot be scrolled away. */
export function leave(pixels) {
  free = pixels;
  room.replaceSync(`:is(#shop, #kit) { padding-block-start: ${free}px; }`);
}

export function settle(row, top) {
  const away = () => row.getBoundingClientRect().top - top;
  if (!away()) return;
  const scroller = row.closest(".unit-body") ?? window;
  scroller.scrollBy({ top: away(), behavior: "instant" });
  if (away() < -1 && row.closest("#shop, #kit")) leave(free - away());
}
