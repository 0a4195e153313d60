/* data-order: fighters change places by dragging, within their section. One hidden form sends the new place; the buttons do the same. */
const form = document.querySelector("form[data-order]");
let dragged = null;

const unitOf = (target) => target.closest?.("details[data-unit]");
const peers = (unit) => [...unit.parentElement.querySelectorAll(":scope > details[data-unit]")];

function clear() {
  for (const unit of document.querySelectorAll("[data-drop], [data-dragged]")) {
    delete unit.dataset.drop;
    delete unit.dataset.dragged;
  }
}

/* Over the upper half of a block: before it, else behind it. */
function side(unit, y) {
  const { top, height } = unit.querySelector("summary").getBoundingClientRect();
  return y < top + height / 2 ? "before" : "after";
}

function over(event) {
  const unit = dragged && unitOf(event.target);
  if (!unit || unit.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  for (const other of peers(unit)) delete other.dataset.drop;
  if (unit !== dragged) unit.dataset.drop = side(unit, event.clientY);
}

function drop(event) {
  const unit = dragged && unitOf(event.target);
  if (!unit || unit === dragged || unit.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  const others = peers(unit).filter((other) => other !== dragged);
  const place = others.indexOf(unit) + (side(unit, event.clientY) === "after" ? 2 : 1);
  form.action = form.dataset.order.replace("/0/", `/${dragged.id.split("_").pop()}/`);
  form.elements.place.value = place;
  form.requestSubmit();
}

if (form && matchMedia("(pointer: fine)").matches) {
  for (const unit of document.querySelectorAll("details[data-unit]")) unit.draggable = true;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.matches?.("details[data-unit]") ? event.target : null;
    if (dragged) dragged.dataset.dragged = "";
  });
  document.addEventListener("dragover", over);
  document.addEventListener("drop", drop);
  document.addEventListener("dragend", () => {
    clear();
    dragged = null;
  });
}
