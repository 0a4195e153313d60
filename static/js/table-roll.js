/* An attack is answered within the page of the table: its form takes the place of the list until it is sent or left. */
export function closeRoll() {
  const form = document.getElementById("t_roll");
  form.replaceChildren();
  form.hidden = true;
  delete form.dataset.here;
  document.querySelector(".tracker").scrollIntoView({ block: "start", behavior: "instant" });
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-close-roll]")) return;
  event.preventDefault();
  closeRoll();
});
