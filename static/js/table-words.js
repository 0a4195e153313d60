/* The words of a card's keywords, which stand once on the page. */
export function tellKeywords(words) {
  const told = document.createElement("dl");
  told.className = "entries";
  for (const link of words.querySelectorAll("a")) told.append(document.getElementById(link.hash.slice(1)).cloneNode(true));
  for (const one of told.children) one.removeAttribute("id");
  words.replaceChildren(...[...words.querySelectorAll("span")].flatMap((word, place) => (place ? [", ", word] : [word])));
  words.after(told);
  words.className = "say";
}
