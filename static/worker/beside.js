/* What is kept beside a page and goes with it: the rows of attacks at a table. Their address changes with what they hold. */
const BESIDE = /^(\/battles\/\d+\/table\/)attacks\/\w+\/$/;
const besideOf = (url) => BESIDE.exec(new URL(url).pathname)?.[1];

async function showBeside(request) {
  const stood = await stoodPage(request.url);
  if (stood) return stood;
  const answer = await fetch(request);
  await keepPage(request.url, answer).catch(() => {});
  return answer;
}

/* The oldest pages go, with what stood beside them; and older rows of the table whose rows came now. */
async function tidyPages(pages, newest) {
  const all = (await pages.keys()).map(({ url }) => url);
  const own = all.filter((url) => !besideOf(url));
  for (const old of own.slice(0, -MOST_PAGES)) await pages.delete(old);
  const left = new Set(own.slice(-MOST_PAGES).map((url) => new URL(url).pathname));
  const table = besideOf(newest);
  for (const url of all.filter(besideOf)) {
    const isOlder = besideOf(url) === table && url !== newest;
    if (isOlder || (!table && !left.has(besideOf(url)))) await pages.delete(url);
  }
}
