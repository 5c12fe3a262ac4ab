// The visitor's own dictionary: it lives in this page and goes with it.

const added = new Map(); // "acronym\nlong form" -> {acronym, long_form}
const removed = new Map(); // the same, long_form null for all of the acronym's
const key = (acronym, longForm) => `${acronym}\n${longForm ?? ""}`;
let changed = () => {};

export function onChange(callback) {
  changed = callback;
}

/** The changes as POST /annotate takes them. */
export function entries() {
  return { add: [...added.values()], remove: [...removed.values()] };
}

/** Add a meaning. */
export function add(acronym, longForm) {
  removed.delete(key(acronym, longForm));
  added.set(key(acronym, longForm), { acronym, long_form: longForm });
  update();
}

/** Make it the only meaning. */
export function choose(acronym, longForm) {
  drop(added, acronym);
  drop(removed, acronym);
  removed.set(key(acronym), { acronym, long_form: null });
  added.set(key(acronym, longForm), { acronym, long_form: longForm });
  update();
}

/** Hide a meaning. */
export function hide(acronym, longForm) {
  if (!added.delete(key(acronym, longForm))) {
    removed.set(key(acronym, longForm), { acronym, long_form: longForm });
  }
  update();
}

function drop(entries, acronym) {
  for (const [name, entry] of entries) if (entry.acronym === acronym) entries.delete(name);
}

function update() {
  const list = document.getElementById("own");
  list.replaceChildren(
    ...[...removed].map((one) => row(removed, ...one)),
    ...[...added].map((one) => row(added, ...one)),
  );
  changed();
}

function row(entries, name, { acronym, long_form: longForm }) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  const strong = document.createElement("b");
  strong.textContent = acronym;
  words.append(strong, ` ${longForm ?? "all other meanings"}`);
  if (entries === removed) words.className = "removed";
  const undo = document.createElement("button");
  undo.type = "button";
  undo.textContent = "×";
  undo.setAttribute("aria-label", `Take back ${acronym} ${longForm ?? ""}`);
  undo.addEventListener("click", () => {
    entries.delete(name);
    update();
  });
  item.append(words, undo);
  return item;
}

document.getElementById("add").addEventListener("submit", (event) => {
  event.preventDefault();
  const [acronym, longForm] = ["acronym", "long-form"].map((id) => document.getElementById(id));
  if (!acronym.value.trim() || !longForm.value.trim()) return;
  add(acronym.value.trim(), longForm.value.trim());
  event.target.reset();
  acronym.focus();
});
