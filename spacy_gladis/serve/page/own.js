// The user's own entries. The browser stores them, and each request contains them. They can be downloaded as an overlay.

import { save } from "./files.js";

const KEPT = "spacy-gladis.own"; // key in the browser's local storage
const own = read(); // acronym -> its long forms; an empty list means that the word is not an acronym
let changed = () => {};

export function onChange(callback) {
  changed = callback;
}

/** Return the entries as POST /annotate expects them. A long form of the user replaces those of the dictionary. */
export function entries() {
  const [known, ignored] = [[], []];
  for (const [acronym, longForms] of own) (longForms.length ? known : ignored).push(acronym);
  return {
    remove: known.map((acronym) => ({ acronym })),
    add: known.flatMap((acronym) => own.get(acronym).map((one) => ({ acronym, long_form: one }))),
    ignore: ignored,
  };
}

export function has(acronym, longForm) {
  return own.get(acronym)?.includes(longForm) ?? false;
}

/** Add a long form to those that the user has given to an acronym. */
export function add(acronym, longForm) {
  if (!has(acronym, longForm)) update(acronym, [...(own.get(acronym) ?? []), longForm]);
}

/** Set the only long form of an acronym. Without a long form, the word is not an acronym. */
export function set(acronym, longForm) {
  update(acronym, longForm === undefined ? [] : [longForm]);
}

function update(acronym, longForms) {
  if (longForms) own.set(acronym, longForms);
  else own.delete(acronym);
  keep();
  list();
  changed();
}

function takeBack(acronym, longForm) {
  const left = own.get(acronym).filter((one) => one !== longForm);
  update(acronym, left.length ? left : undefined);
}

/** Return the entries as a table for `spacy-gladis --overlay`. An empty long form means that a word is not an acronym. */
function toTable() {
  const rows = [...own].flatMap(([acronym, longForms]) =>
    (longForms.length ? longForms : [""]).map((one) => `${acronym}\t${one}`));
  return ["acronym\tlong_form", ...rows, ""].join("\n");
}

function read() {
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
    return new Map(kept.map(([acronym, longForms]) => [acronym, longForms.map(String)]));
  } catch {
    return new Map(); // the browser has no storage, or its content is invalid
  }
}

function keep() {
  try {
    if (own.size) localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(own)));
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage, the entries last as long as the page is open.
  }
}

function list() {
  const rows = [...own].flatMap(([acronym, longForms]) =>
    (longForms.length ? longForms : [undefined]).map((one) => row(acronym, one)));
  document.getElementById("own").replaceChildren(...rows);
  document.getElementById("own-tools").hidden = !own.size;
}

function row(acronym, longForm) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  const strong = document.createElement("b");
  const meaning = longForm ?? "no acronym";
  strong.textContent = acronym;
  words.append(strong, ` ${meaning}`);
  const undo = document.createElement("button");
  undo.type = "button";
  undo.textContent = "×";
  undo.setAttribute("aria-label", `Take back ${acronym}: ${meaning}`);
  undo.addEventListener("click", () => takeBack(acronym, longForm));
  item.append(words, undo);
  return item;
}

/** Return a text with single spaces and without line breaks, for a cell of a table. */
export function tidy(words) {
  return words.trim().replace(/\s+/g, " ");
}

document.getElementById("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const [acronym, longForm] = ["acronym", "long-form"].map((id) => document.getElementById(id));
  if (!tidy(acronym.value) || !tidy(longForm.value)) return;
  add(tidy(acronym.value), tidy(longForm.value));
  event.target.reset();
  acronym.focus();
});
document.getElementById("download").addEventListener("click", () => {
  save(toTable(), "acronyms.tsv", "text/tab-separated-values");
});
document.getElementById("clear").addEventListener("click", () => {
  own.clear();
  keep();
  list();
  changed();
  document.getElementById("acronym").focus();
});
list();
