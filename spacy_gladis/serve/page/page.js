// The text: typed or pasted, sent to POST /annotate, shown with its acronyms highlighted.

import { clear, element, show } from "./candidates.js";
import * as own from "./own.js";

const EXAMPLE = `In the United States, the AI for potassium for adults is 4.7 grams a day; the FDA asks \
food makers to print it on the label. A recommended dietary allowance (RDA) is a stronger claim: where \
there is no RDA, an AI is set.

The assistant that answers customers' questions was the product's first true AI version. A CNN reads \
the photographs of meals on a GPU, and an LSTM writes the replies.`;

const [form, input, output, find, edit, example, status, legend, threshold, thresholdValue] = [
  "form", "input", "output", "find", "edit", "example", "status", "legend", "threshold",
  "threshold-value",
].map((id) => document.getElementById(id));

let chosen = null; // index of the mention whose candidates are shown
let request = null; // the one under way

/** Ask for the text's acronyms and show them. */
async function annotate() {
  if (!input.value.trim()) return;
  request?.abort();
  const mine = (request = new AbortController());
  say("Reading…");
  find.disabled = true;
  try {
    const answer = await fetch("annotate", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text: input.value, threshold: Number(threshold.value), dictionary: own.entries(),
      }),
      signal: mine.signal,
    });
    const content = await answer.json();
    if (answer.ok) light(content.acronyms, input.value);
    else say(content.detail ?? `Error ${answer.status}`, true);
  } catch (error) {
    if (error.name !== "AbortError") say("The service does not answer.", true);
  } finally {
    if (mine === request) find.disabled = false;
  }
}

/** Show the text with its mentions as buttons; offsets count code points. */
function light(mentions, text) {
  const letters = Array.from(text);
  const buttons = [];
  const parts = [];
  let at = 0;
  mentions.forEach((mention, number) => {
    if (mention.start < at) return;
    const words = letters.slice(mention.start, mention.end).join("");
    const made = element("button", { type: "button", className: `mention ${mention.source}` }, words);
    made.title = mention.long_form ?? "unknown";
    made.style.animationDelay = `${Math.min(number * 25, 600)}ms`;
    made.addEventListener("click", () => choose(number));
    buttons[number] = made;
    parts.push(letters.slice(at, mention.start).join(""), made);
    at = mention.end;
  });
  parts.push(letters.slice(at).join(""));
  output.replaceChildren(...parts);
  view(true);
  say(mentions.length === 1 ? "1 acronym" : `${mentions.length} acronyms`);

  function choose(number) {
    chosen = number;
    for (const one of buttons) one?.setAttribute("aria-pressed", String(one === buttons[number]));
    show(mentions[number], letters);
  }
  if (chosen !== null && buttons[chosen]) choose(chosen);
  else clear(mentions.length ? "Choose an acronym to see what it may mean, and how likely each meaning is."
    : "There is no acronym in this text.");
}

function view(annotated) {
  input.hidden = find.hidden = example.hidden = annotated;
  output.hidden = edit.hidden = legend.hidden = !annotated;
}

function say(words, failed = false) {
  status.textContent = words;
  status.classList.toggle("failed", failed);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  chosen = null;
  annotate();
});
input.addEventListener("paste", () => setTimeout(annotate));
input.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
edit.addEventListener("click", () => {
  chosen = null;
  view(false);
  say("");
  input.focus();
});
example.addEventListener("click", () => {
  input.value = EXAMPLE;
  form.requestSubmit();
});
threshold.addEventListener("input", () => (thresholdValue.value = Number(threshold.value).toFixed(2)));
threshold.addEventListener("change", annotate);
own.onChange(() => {
  if (!output.hidden) annotate();
});
input.focus();
