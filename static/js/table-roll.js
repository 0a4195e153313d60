/* What an answer of the form asked of the server comes to nothing once the form is sent or left: it would stand there again. */
function askNoMore(form) {
  for (const asking of form.querySelectorAll(".htmx-request")) asking.dispatchEvent(new Event("htmx:abort"));
}

/* An attack is answered within the page of the table: its form takes the place of the list until it is sent or left. */
export function closeRoll() {
  const form = document.getElementById("t_roll");
  askNoMore(form);
  const wasWithin = form.contains(document.activeElement);
  form.replaceChildren();
  form.hidden = true;
  form.inert = false;
  for (const name of ["here", "goesOn", "queued", "away"]) delete form.dataset[name];
  document.querySelector(".tracker").scrollIntoView({ block: "start", behavior: "instant" });
  if (wasWithin) document.getElementById("t_head").focus({ preventScroll: true }); /* by keyboard one goes on from there */
}

/* The form stays until the answer where that brings the next one: of several attacks, or of the dice to type. */
export function sendRoll(button) {
  const form = document.getElementById("t_roll");
  if (form.dataset.goesOn === undefined && button?.dataset.goesOn === undefined) return closeRoll();
  askNoMore(form);
  form.inert = true;
  form.setAttribute("aria-busy", "true");
}

/* Asked by an element of the page: htmx then tells the server that the form alone is wanted. */
export function nextRoll(href) {
  if (href) htmx.ajax("GET", href, { source: "#t_roll_next", target: "#t_roll", swap: "outerHTML" });
  else if (document.querySelector("#t_roll[inert]")) closeRoll();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-close-roll]")) return;
  event.preventDefault();
  closeRoll();
});
