/* What every page wears: fetched once when the worker comes, then kept. Hashed names never change, others are asked for anew. */
const WEAR = "wear";
const MOST_WORN = 500;
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

/* Everything a page needs, before any page needs it. What an older release wore stays for the pages that still wear it. */
async function dress() {
  const worn = await caches.open(WEAR);
  const lacking = [];
  for (const address of self.facts.shell) {
    if (!HASHED.test(address) || !(await worn.match(address))) lacking.push(address);
  }
  await worn.addAll(lacking.map((address) => new Request(address, { cache: HASHED.test(address) ? "default" : "no-cache" })));
}

async function tidy() {
  const worn = await caches.open(WEAR);
  for (const old of (await worn.keys()).slice(0, -MOST_WORN)) await worn.delete(old);
}

async function wear(request) {
  const worn = await caches.open(WEAR);
  const kept = await worn.match(request.url);
  if (kept && HASHED.test(request.url)) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && fresh.status === 200) await worn.put(request.url, fresh.clone());
    return fresh;
  } catch (lost) {
    if (kept) return kept;
    throw lost;
  }
}
