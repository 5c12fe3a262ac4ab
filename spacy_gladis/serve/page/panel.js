// The panel that shows an acronym: its meaning, the reasons, the words around it, and other meanings.

import * as own from "./own.js";
import { ask } from "./service.js";

export const SOURCES = {
  definition: "defined in the text", document: "phrase in the text",
  folder: "from other documents", dictionary: "from the dictionary",
  llm: "from a language model", nil: "unknown",
};
const AROUND = 90; // number of characters that are quoted on either side
const [answer, details] = ["answer", "details"].map((id) => document.getElementById(id));
let latest = 0;

/** Show an acronym in the panel. `letters` is the text as an array of code points, which its offsets count. */
export async function show(mention, letters) {
  const number = ++latest;
  const percent = `${Math.round(100 * mention.probability)} %`;
  answer.replaceChildren(
    element("p", { className: "soft small" }, mention.acronym),
    element("p", { className: "long" }, mention.long_form ?? "Unknown"),
    element("p", { className: "small" },
      element("span", { className: `source ${mention.source}` }, SOURCES[mention.source]),
      mention.long_form === null ? " no meaning is likely enough" : ` ${percent} probability`),
  );
  const ranked = element("ol", { className: "ranked" });
  const rows = new Map();
  for (const { long_form: longForm, probability } of mention.candidates) {
    rows.set(longForm, row(mention, longForm, probability));
    ranked.append(rows.get(longForm));
  }
  const reasons = (mention.why ?? []).map((one) => element("li", {}, one));
  details.replaceChildren(
    ...(reasons.length ? [element("ul", { className: "why small" }, ...reasons)] : []),
    quote(mention, letters),
    ranked,
  );
  if (mention.source !== "definition") {
    details.append(another(mention), element("p", {}, button("No acronym",
      `Mark ${mention.acronym} as not an acronym`, () => own.set(mention.acronym))));
    await addKnown(mention, rows, () => number === latest);
  }
}

/** Remove the acronym from the panel and show a message instead. */
export function clear(words) {
  latest++;
  answer.replaceChildren(element("p", { className: "soft" }, words));
  details.replaceChildren();
}

/** Create a row with a meaning, its probability if it is known, and the button that adds it to the user's entries. */
function row(mention, longForm, probability) {
  const chosen = longForm === mention.long_form;
  const act = chosen
    ? button("Accept", `Accept ${longForm} for ${mention.acronym}`,
      () => own.add(mention.acronym, longForm))
    : button("Use this", `Use ${longForm} for ${mention.acronym}`,
      () => own.set(mention.acronym, longForm));
  const tool = mention.source === "definition" ? ""
    : chosen && own.has(mention.acronym, longForm)
      ? element("span", { className: "soft" }, "your entry") : act;
  const line = element("div", { className: chosen ? "line chosen" : "line" },
    element("span", {}, longForm));
  const item = element("li", {}, line);
  if (probability !== undefined) {
    line.append(element("span", { className: "share" }, probability.toFixed(2)));
    item.append(element("meter",
      { value: probability, min: 0, max: 1, ariaLabel: `Probability of ${longForm}` }));
  }
  item.append(element("div", { className: "bar" }, element("span", { className: "soft" }), tool));
  return item;
}

/** Add the counts of the dictionary to the rows, and list its other meanings below them. */
async function addKnown(mention, rows, current) {
  let known;
  try {
    known = await ask(`lookup?limit=50&acronym=${encodeURIComponent(mention.acronym)}`);
  } catch {
    return; // The panel is usable without the counts.
  }
  if (!current()) return;
  const others = [];
  for (const { long_form: longForm, total, counts } of known.candidates) {
    const item = rows.get(longForm) ?? row(mention, longForm);
    if (!rows.has(longForm)) others.push(item);
    const domains = Object.entries(counts).sort((one, other) => other[1] - one[1]).slice(0, 3);
    const seen = item.querySelector(".bar .soft");
    seen.textContent = `seen ${total.toLocaleString("en")}×`;
    seen.title = domains.map(([name, count]) => `${name} ${count.toLocaleString("en")}`).join(", ");
  }
  if (others.length) {
    details.append(element("details", {}, element("summary", { className: "small" },
      `Other meanings in the dictionary (${others.length})`),
    element("ul", { className: "ranked" }, ...others)));
  }
}

function quote({ start, end }, letters) {
  const before = letters.slice(Math.max(0, start - AROUND), start).join("");
  const after = letters.slice(end, end + AROUND).join("");
  return element("blockquote", { className: "quote", dir: "auto" },
    start > AROUND ? `…${before}` : before,
    element("b", {}, letters.slice(start, end).join("")),
    end + AROUND < letters.length ? `${after}…` : after);
}

function another(mention) {
  const input = element("input",
    { placeholder: "Another meaning", maxLength: 1000, ariaLabel: "Another meaning" });
  const form = element("form", { className: "add other" }, input, element("button", {}, "Use"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (own.tidy(input.value)) own.set(mention.acronym, own.tidy(input.value));
  });
  return form;
}

function button(words, name, act) {
  const made = element("button", { type: "button", ariaLabel: name }, words);
  made.addEventListener("click", act);
  return made;
}

/** Create an element with properties and children. Strings become text, never markup. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
