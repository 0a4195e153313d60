/* htmx marks the present address with the first answer, and the browser then styles the page once more between two changes of it.
   Only an answer that changes the address needs the mark. */
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const { push, replace, hx } = ctx;
  window.htmx.config.history = [push, replace, hx?.pushurl, hx?.replaceurl].some(Boolean);
});
