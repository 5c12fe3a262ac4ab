// The visitor's own entries: kept in this browser, sent along with each text, saved as an overlay.

import { save } from "./files.js";

const KEPT = "spacy-gladis.own"; // in the browser's local storage
const own = read(); // acronym -> its long forms; none: it is no acronym
let changed = () => {};

export function onChange(callback) {
  changed = callback;
}

/** The entries as POST /annotate takes them: an own meaning leaves no other. */
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

/** A meaning beside the own ones that there are. */
export function add(acronym, longForm) {
  if (!has(acronym, longForm)) update(acronym, [...(own.get(acronym) ?? []), longForm]);
}

/** The acronym's one meaning; without a long form it is no acronym. */
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

/** As `spacy-gladis` reads it with `--overlay`: a long form left empty is no acronym. */
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
    return new Map(); // no storage, or something else in it
  }
}

function keep() {
  try {
    if (own.size) localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(own)));
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage they last while the page is open.
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

/** On one line, as a table needs it. */
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
