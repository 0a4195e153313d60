/* The rows of all attacks: fetched once after the page is shown, and again when the table names others. */
let held = { address: "", rows: null };

const named = () => document.getElementById("t_head")?.dataset.attacks ?? "";

/* Those of the table as it is shown, or null while they are not here. */
export const rowsHere = () => (held.address === named() ? held.rows : null);

async function fetchRows() {
  const address = named();
  if (!address || held.address === address) return;
  const mine = { address, rows: null };
  held = mine;
  try {
    const answer = await fetch(address);
    if (answer.ok) mine.rows = await answer.json();
    else if (answer.status >= 500 || answer.status === 429) mine.address = "";
  } catch {
    mine.address = ""; /* asked for again once the line is back */
  }
}

for (const news of ["table:fresh", "page:fresh"]) document.addEventListener(news, fetchRows);
document.addEventListener("line", ({ detail: { isBack } }) => isBack && fetchRows());
if (document.readyState === "complete") fetchRows();
else window.addEventListener("load", () => setTimeout(fetchRows));
