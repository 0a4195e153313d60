/* What was typed into a form, as plain values by name; and such values put back. Passwords, files and what is hidden stay out. */
const TYPED = "textarea, select, input:not([type=hidden], [type=password], [type=file], [type=search], [type=submit], [type=button])";

function typedFields(form) {
  return [...form.elements].filter((field) => field.name && field.matches(TYPED) && !field.closest("[data-no-draft]"));
}

const isTick = (field) => field.type === "checkbox" || field.type === "radio";

function isTouched(field) {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  const options = [...field.options];
  const drawn = options.some((option) => option.defaultSelected);
  return options.some((option, place) => option.selected !== (drawn || field.multiple ? option.defaultSelected : place === 0));
}

function valuesOf(field) {
  if (isTick(field)) return field.checked ? [field.value] : [];
  return field.selectedOptions ? [...field.selectedOptions].map((option) => option.value) : [field.value];
}

/* The values of all fields that differ from what the server drew, and of those that did before. */
export function typedValues(form, before = {}) {
  const fields = typedFields(form);
  const names = new Set([...Object.keys(before), ...fields.filter(isTouched).map((field) => field.name)]);
  const values = {};
  for (const field of fields) if (names.has(field.name)) (values[field.name] ??= []).push(...valuesOf(field));
  return values;
}

/* Put values back. True where that changed anything; what it changed is not left folded away. */
export function putBack(form, values) {
  const left = Object.fromEntries(Object.entries(values).map(([name, list]) => [name, [...list]]));
  let changed = false;
  for (const field of typedFields(form)) {
    const list = left[field.name];
    if (!list) continue;
    const before = valuesOf(field).join("\n");
    if (isTick(field)) field.checked = list.includes(field.value);
    else if (field.multiple) for (const option of field.options) option.selected = list.includes(option.value);
    else if (!field.options) field.value = list.shift() ?? "";
    else if ([...field.options].some((option) => option.value === list[0])) field.value = list.shift();
    if (valuesOf(field).join("\n") === before) continue;
    changed = true;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
  return changed;
}
