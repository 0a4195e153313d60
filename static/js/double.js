/* A second tap or key on the same spot that finds another act there does nothing: an answer moved the page in between,
   put the next act under the thumb, or is another page already. For a moment a shield lies over that spot. */
const SOON = 700;
const KEPT = "press";
const HALF = 24; /* pixels from the middle of the shield to its edge */
const shield = Object.assign(document.createElement("div"), { className: "shield" });
const place = new CSSStyleSheet();
document.adoptedStyleSheets.push(place);

let timer = 0;
let end = 0;
let last = null; /* the press before: which button, where, when */
let pressed = null; /* that button itself, while the page is the same */
const buttonOf = (element) => element?.closest("button, summary, a");
const called = (button) => button?.id || button?.textContent.trim();
const isOver = () => !last || Date.now() - last.at >= SOON;

/* What the next page may need is kept no longer than it can need it. */
function keep() {
  clearTimeout(end);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(last));
    end = setTimeout(() => sessionStorage.removeItem(KEPT), SOON);
  } catch { /* a browser that keeps nothing */ }
}

function lift() {
  clearTimeout(timer);
  shield.remove();
}

/* Pressed again, the very same button means the same; on another page nothing is the same. */
function protect(isNewPage) {
  lift();
  if (isOver() || last.byKey) return;
  if (!isNewPage && called(buttonOf(document.elementFromPoint(last.x, last.y))) === last.called) return;
  place.replaceSync(`.shield { inset: ${last.y - HALF}px auto auto ${last.x - HALF}px; }`);
  document.body.append(shield);
  timer = setTimeout(lift, SOON - (Date.now() - last.at));
}

document.addEventListener("click", (event) => {
  const button = buttonOf(event.target);
  if (!button || !event.isTrusted) return;
  const byKey = event.detail === 0;
  if (byKey && last?.byKey && !isOver() && pressed && !pressed.isConnected && called(button) !== last.called) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  last = { called: called(button), x: event.clientX, y: event.clientY, at: Date.now(), byKey };
  pressed = button;
  lift();
  keep();
}, { capture: true });

/* Any other key says that the next press is meant. */
document.addEventListener("keydown", ({ key }) => {
  if (last?.byKey && key !== "Enter" && key !== " ") last = null;
});

/* Once the page stands: what was pressed may be kept where it is. */
for (const news of ["htmx:after:swap", "table:fresh", "page:fresh"]) document.addEventListener(news, () => queueMicrotask(() => protect(false)));

try {
  last = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
} catch { /* nothing was kept */ }
protect(true);
