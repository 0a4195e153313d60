/* Close a toast; the page's own next message takes its place. */
document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]");
  close?.closest("[data-toast]")?.remove();
});

/* The toast that the page keeps for this occasion, its gaps filled: {what} in its words, the address of its link. */
export function toastFor(occasion, { href = "", ...gaps } = {}) {
  const template = document.querySelector(`template[data-toast-for="${occasion}"]`);
  const toast = template?.content.firstElementChild.cloneNode(true);
  const words = toast?.querySelector("p");
  for (const [gap, value] of Object.entries(gaps)) words.textContent = words.textContent.replace(`{${gap}}`, value);
  if (href) toast?.querySelector("a")?.setAttribute("href", href);
  return toast ?? null;
}

/* Show these instead of what stands there. */
export function showToasts(toasts) {
  document.getElementById("toasts")?.replaceChildren(...toasts);
}

/* Show the toast of an occasion, alone. Returns it, or null where the page has none. */
export function showToast(occasion, gaps) {
  const toast = toastFor(occasion, gaps);
  if (toast) showToasts([toast]);
  return toast;
}
