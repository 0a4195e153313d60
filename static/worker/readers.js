/* Whose the kept pages are: each reader has a cache, and one reader at a time has any. */
const PAGES = "pages-";

async function forgetOthers(reader) {
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGES) && name !== PAGES + reader) await caches.delete(name);
  }
}

/* Who is signed in on this device, as the site's cookie says; undefined where a browser does not let a worker ask. */
async function readerNow() {
  if (!self.cookieStore) return undefined;
  return (await self.cookieStore.get(self.facts.reader))?.value ?? "none";
}
