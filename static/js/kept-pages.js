/* data-kept-pages: the pages that this device keeps, the one opened last on top. */
import { whenWords } from "./when.js";

const list = document.querySelector("[data-kept-pages]");

async function rowOf(answer, request, template) {
  const { title } = new DOMParser().parseFromString(await answer.text(), "text/html");
  const row = template.content.firstElementChild.cloneNode(true);
  row.querySelector("a").href = request.url;
  row.querySelector("a").textContent = title.replace(" · Muster Roll", "");
  row.querySelector("[data-words]").textContent = whenWords(answer.headers.get("X-Stood"));
  return row;
}

async function show() {
  const rows = [];
  const reader = /(?:^|; )reader=(\d+)/.exec(document.cookie)?.[1]; /* what others had opened is theirs */
  for (const name of (await caches.keys()).filter((cache) => cache === `pages-${reader}`)) {
    const page = await caches.open(name);
    for (const request of await page.keys()) {
      const answer = await page.match(request);
      const isPage = answer.headers.get("Content-Type").startsWith("text/html"); /* not what is kept beside one */
      if (isPage) rows.unshift(await rowOf(answer, request, list.querySelector("template")));
    }
  }
  list.querySelector("ul").replaceChildren(...rows);
  list.querySelector("[data-none]").hidden = rows.length > 0;
}

if (list && window.caches) show();
