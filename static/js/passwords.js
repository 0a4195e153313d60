/* A button beside each password shows what was typed, so that one field is enough. */
const FIELD = ":not(.password-row) > input[type=password][data-show]";

function addButton(field) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = field.dataset.show;
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-controls", field.id);
  const row = document.createElement("div");
  row.className = "password-row";
  field.replaceWith(row);
  row.append(field, button);
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    field.type = shown ? "text" : "password";
    button.textContent = shown ? field.dataset.hide : field.dataset.show;
    button.setAttribute("aria-pressed", String(shown));
  });
  field.form?.addEventListener("submit", () => { field.type = "password"; });
}

const addAll = (within) => within.querySelectorAll(FIELD).forEach(addButton);

addAll(document);
document.addEventListener("htmx:after:swap", () => addAll(document));
