/* data-copy="#id" copies the text or value of that element; the button says so for a moment in its own words. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  const source = button && document.querySelector(button.dataset.copy);
  if (!source) return;
  const text = source.value ?? source.textContent.trim();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    source.select?.(); /* no permission: the text stands selected, ready to be copied by hand */
    return;
  }
  const words = button.querySelector("[data-copy-words]") ?? button;
  const before = words.textContent;
  words.textContent = button.dataset.copied ?? before;
  setTimeout(() => (words.textContent = before), 2000);
});
