// The panel with the candidates of one mention: probabilities, counts, and the words around it.

import { add, choose, hide } from "./own.js";

const SOURCES = { definition: "defined in the text", document: "words of the text", dictionary: "from the dictionary", nil: "unknown" };
const AROUND = 90; // characters on either side
const panel = document.getElementById("candidates");
let latest = 0;

/** Show a mention; `letters` is the text by code points, as the offsets count. */
export async function show(mention, letters) {
  const number = ++latest;
  const list = element("ol", { className: "ranked" });
  const rows = new Map();
  for (const candidate of mention.candidates) {
    const row = ranked(mention, candidate);
    rows.set(candidate.long_form, row);
    list.append(row);
  }
  const percent = `${Math.round(100 * mention.probability)} %`;
  const known = mention.long_form !== null;
  panel.replaceChildren(
    element("p", { className: "soft small" }, mention.acronym),
    element("p", { className: "answer" }, mention.long_form ?? "Unknown"),
    element("p", { className: "small" },
      element("span", { className: `source ${mention.source}` }, SOURCES[mention.source]),
      known ? ` ${percent} sure` : ` no meaning is likely enough`),
    quote(mention, letters),
    list,
    another(mention),
  );
  panel.scrollIntoView({ block: "nearest" });
  if (mention.source !== "definition") await fillCounts(mention, rows, () => number === latest);
}

/** Say what the panel is for, when no mention is chosen. */
export function clear(words) {
  latest++;
  panel.replaceChildren(element("p", { className: "soft" }, words));
}

function ranked(mention, { long_form: longForm, probability }) {
  const chosen = longForm === mention.long_form;
  const only = button("Only this", () => choose(mention.acronym, longForm));
  const not = button("Not this", () => hide(mention.acronym, longForm));
  const tools = mention.source === "definition" ? [] : [only, not];
  return element("li", {},
    element("div", { className: chosen ? "line chosen" : "line" },
      element("span", {}, longForm),
      element("span", { className: "share" }, probability.toFixed(2))),
    element("meter", { value: probability, min: 0, max: 1, ariaLabel: "probability" }),
    element("div", { className: "bar" }, element("span", { className: "soft" }), ...tools));
}

async function fillCounts(mention, rows, current) {
  try {
    const asked = `lookup?limit=50&acronym=${encodeURIComponent(mention.acronym)}`;
    const answer = await fetch(asked);
    if (!answer.ok || !current()) return;
    for (const { long_form: longForm, total, counts } of (await answer.json()).candidates) {
      const place = rows.get(longForm)?.querySelector(".bar .soft");
      if (!place) continue;
      const domains = Object.entries(counts).sort((one, other) => other[1] - one[1]).slice(0, 3);
      const by = domains.map(([name, count]) => `${name} ${count.toLocaleString("en")}`);
      place.textContent = `seen ${total.toLocaleString("en")}×`;
      place.title = by.join(", ");
    }
  } catch {
    // The counts are an extra: without them the panel is as good.
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
  const input = element("input", { placeholder: "Another meaning", maxLength: 1000 });
  input.setAttribute("aria-label", "Another meaning");
  const form = element("form", { className: "add other" }, input, element("button", {}, "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) add(mention.acronym, input.value.trim());
  });
  return form;
}

function button(words, act) {
  const made = element("button", { type: "button", className: "plain" }, words);
  made.addEventListener("click", act);
  return made;
}

/** An element with properties and children; strings become text, never markup. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
