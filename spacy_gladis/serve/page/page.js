// The text: typed or pasted, sent to POST /annotate, shown with long forms under its acronyms.

import * as own from "./own.js";
import { SOURCES, clear, element, show } from "./panel.js";
import { ask } from "./service.js";

const [
  form, input, output, find, edit, askModel, llm, example, status, legend, threshold, thresholdValue,
] = [
  "form", "input", "output", "find", "edit", "ask", "llm", "example", "status", "legend",
  "threshold", "threshold-value",
].map((id) => document.getElementById(id));

const MARKS = ")]}.,;:!?'\"’”/"; // stay at the word before, whose long form may be wider than it

let chosen = null; // index of the mention that the panel is about
let request = null; // the one under way
let most = Infinity; // characters of a text
let hasModel = false; // that the service may ask

/** Ask for the text's acronyms and show them; of a language model only where told so. */
async function annotate(model = false) {
  const letters = Array.from(input.value); // by code points, as the service counts
  if (!input.value.trim()) {
    say("There is no text yet: type or paste one.", true);
    input.focus();
    return;
  }
  if (letters.length > most) {
    const [has, takes] = [letters.length, most].map((one) => one.toLocaleString("en"));
    say(`The text has ${has} characters, and the service takes ${takes}: shorten it.`, true);
    return;
  }
  request?.abort();
  const mine = (request = new AbortController());
  say(model ? "Asking the model…" : "Reading…");
  find.disabled = askModel.disabled = true;
  try {
    const body = {
      text: input.value, threshold: Number(threshold.value), dictionary: own.entries(),
      ask_model: model,
    };
    light((await ask("annotate", body, mine.signal)).acronyms, letters);
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  } finally {
    if (mine === request) find.disabled = askModel.disabled = false;
  }
}

/** Show the text, its mentions as buttons with the long forms beneath. */
function light(mentions, letters) {
  const buttons = [];
  const parts = [];
  let at = 0;
  mentions.forEach((mention, number) => {
    if (mention.start < at) return;
    const after = letters.slice(mention.end, mentions[number + 1]?.start);
    const marks = after.findIndex((one) => !MARKS.includes(one));
    const end = mention.end + (marks < 0 ? after.length : marks);
    const words = letters.slice(mention.start, mention.end).join("");
    const meaning = mention.long_form ?? "unknown";
    const made = element("button", {
      type: "button", className: `mention ${mention.source}`,
      ariaLabel: `${words}: ${meaning}${mention.long_form ? `, ${SOURCES[mention.source]}` : ""}`,
    }, element("span", { className: "line" }, element("span", { className: "word" }, words),
      letters.slice(mention.end, end).join("")), element("span", { className: "gloss" }, meaning));
    made.setAttribute("aria-controls", "candidates");
    made.style.animationDelay = `${Math.min(number * 25, 600)}ms`;
    made.addEventListener("click", () => {
      choose(number);
      document.getElementById("candidates").scrollIntoView({ block: "nearest" });
    });
    buttons[number] = made;
    parts.push(letters.slice(at, mention.start).join(""), made);
    at = end;
  });
  parts.push(letters.slice(at).join(""));
  output.replaceChildren(...parts);
  view(true);
  say(mentions.length === 1 ? "1 acronym" : `${mentions.length} acronyms`);

  function choose(number) {
    chosen = number;
    buttons.forEach((one, place) => one.setAttribute("aria-pressed", String(place === number)));
    show(mentions[number], letters);
  }
  if (chosen !== null && buttons[chosen]) {
    choose(chosen);
    if (document.activeElement === document.body) buttons[chosen].focus(); // its button is gone
  } else clear(mentions.length ? "Choose an acronym to see what it may mean, and how likely each meaning is."
    : "There is no acronym in this text.");
}

function view(annotated) {
  input.hidden = find.hidden = example.hidden = annotated;
  output.hidden = edit.hidden = legend.hidden = !annotated;
  askModel.hidden = llm.hidden = !(annotated && hasModel);
}

function say(words, failed = false) {
  status.textContent = words;
  status.classList.toggle("failed", failed);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  chosen = null;
  annotate().then(() => {
    if (document.activeElement === document.body) edit.focus(); // the form's button is hidden
  });
});
input.addEventListener("paste", () => setTimeout(annotate));
askModel.addEventListener("click", () => annotate(true));
input.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
edit.addEventListener("click", () => {
  chosen = null;
  view(false);
  say("");
  input.focus();
});
example.addEventListener("click", async () => {
  input.value = await (await fetch("example.txt")).text();
  form.requestSubmit();
});
threshold.addEventListener("input", () => (thresholdValue.value = Number(threshold.value).toFixed(2)));
threshold.addEventListener("change", () => annotate());
own.onChange(() => {
  if (!output.hidden) annotate();
});
input.focus();
ask("health").then(({ characters, language_model: model }) => {
  most = characters;
  hasModel = model;
}, () => {}); // else the service says it
