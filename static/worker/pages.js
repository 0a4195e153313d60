/* Pages as they stood. The server says which may be kept and for whom; a page for somebody else makes the worker forget them. */
const MOST_PAGES = 40;
const PATIENCE = 3000;

async function keepPage(address, answer) {
  const reader = answer.headers.get("X-Reader");
  const response = answer.status === 200 && answer.headers.get("X-Keep") === "yes" && answer.clone();
  if (reader) await forgetOthers(reader);
  if (reader && reader !== "none") await caches.open(PAGES + reader); /* its name says who is signed in */
  if (!response) return;
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set("X-Stood", new Date().toISOString());
  const page = new Response(await response.text(), { headers });
  const pages = await caches.open(PAGES + reader);
  await pages.delete(address); /* the page opened last stands last */
  await pages.put(address, page);
  await tidyPages(pages, address);
}

/* A page belongs to its whole address, what stands behind the "?" too, and to whoever is signed in: those of others go. */
async function stoodPage(address) {
  const reader = await readerNow();
  if (reader !== undefined) await forgetOthers(reader);
  for (const name of await caches.keys()) {
    if (!name.startsWith(PAGES)) continue;
    const page = await (await caches.open(name)).match(address);
    if (page?.headers.has("X-Stood")) return page;
  }
}

/* The page with words about itself on its root element, for its scripts. */
async function saying(page, words, status) {
  const text = (await page.text()).replace("<html", `<html ${words}`);
  return new Response(text, { status, headers: page.headers });
}

async function nothing(word) {
  const page = await caches.match(self.facts.offline);
  const reader = (await caches.keys()).find((name) => name.startsWith(PAGES))?.slice(PAGES.length);
  return page ? saying(page, `data-${word} data-user="${reader ?? ""}"`, 503) : Response.error();
}

/* The network first; after three seconds, or without it, the page as it stood. */
async function showPage(request, asked) {
  const stood = await stoodPage(request.url);
  if (!stood) return asked.catch(() => nothing("missing"));
  const impatient = new Promise((_, late) => setTimeout(late, PATIENCE));
  const down = asked.then((answer) => ([502, 503, 504].includes(answer.status) ? Promise.reject() : answer));
  return Promise.race([down, impatient]).catch(() => saying(stood, `data-stood="${stood.headers.get("X-Stood")}"`, 200));
}
