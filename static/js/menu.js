/* An open menu comes into view whole; it closes on Escape, on a press elsewhere, and when another opens. */
function closeOthers(kept) {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (menu !== kept) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeOthers(event.target.closest("[data-menu]")));

document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches("[data-menu][open]")) event.target.querySelector(".menu-list")?.scrollIntoView({ block: "nearest" });
  },
  true,
);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("[data-menu][open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
