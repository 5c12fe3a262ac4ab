// The text of the page: sends it to POST /annotate, and shows it with long forms next to its acronyms.

import * as files from "./files.js";
import * as own from "./own.js";
import { SOURCES, clear, element, show } from "./panel.js";
import { ask } from "./service.js";

const [
  form, input, output, find, open, file, edit, copy, save, askModel, llm, example, status, legend,
  field, threshold, thresholdValue,
] = [
  "form", "input", "output", "find", "open", "file", "edit", "copy", "save", "ask", "llm", "example",
  "status", "legend", "field", "threshold", "threshold-value",
].map((id) => document.getElementById(id));

let chosen = null; // index of the acronym that the panel shows
let request = null; // the request in progress
let most = Infinity; // maximum number of characters of a text
let mostBytes = Infinity; // maximum size of a file
let expanded = ""; // the text with each acronym spelled out at its first use
let name = "text"; // name of the opened file, without its extension
let hasModel = false; // whether the service has a language model

/** Send the text to the service and show its acronyms. With `model`, the service asks its language model, too. */
async function annotate(model = false) {
  const letters = Array.from(input.value); // by code points, as the service counts
  if (!input.value.trim()) {
    say("There is no text yet. Type or paste one.", true);
    input.focus();
    return;
  }
  if (letters.length > most) {
    const [has, takes] = [letters.length, most].map((one) => one.toLocaleString("en"));
    say(`The text has ${has} characters, and the service takes ${takes}. Shorten the text.`, true);
    return;
  }
  request?.abort();
  const mine = (request = new AbortController());
  say(model ? "Asking the model…" : "Reading…");
  find.disabled = askModel.disabled = true;
  try {
    const body = {
      text: input.value, threshold: Number(threshold.value), field: field.value || null,
      dictionary: own.entries(), ask_model: model, expand: "first",
    };
    const answer = await ask("annotate", body, mine.signal);
    expanded = answer.expanded;
    light(answer, letters);
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  } finally {
    if (mine === request) find.disabled = askModel.disabled = false;
  }
}

/** Show the text with a button for each acronym. The first use of each meaning shows the long form, unless the text defines it. */
function light({ acronyms: mentions, definitions }, letters) {
  const defined = new Set(definitions.map((one) => one.acronym_offsets[0]));
  const said = new Set();
  const buttons = [];
  const parts = [];
  let at = 0;
  mentions.forEach((mention, number) => {
    if (mention.start < at) return;
    const words = letters.slice(mention.start, mention.end).join("");
    const meaning = mention.long_form ?? "unknown";
    const sense = `${mention.acronym}\n${meaning}`;
    const made = element("span", {
      role: "button", tabIndex: 0, className: `mention ${mention.source}`, title: meaning,
      ariaLabel: `${words}: ${meaning}${mention.long_form ? `, ${SOURCES[mention.source]}` : ""}`,
    }, element("span", { className: "word" }, words));
    if (!said.has(sense) && !defined.has(mention.start)) {
      made.append(element("span", { className: "gloss" }, meaning));
    }
    said.add(sense);
    made.setAttribute("aria-controls", "candidates");
    made.style.animationDelay = `${Math.min(number * 25, 600)}ms`;
    made.addEventListener("click", () => {
      choose(number);
      document.getElementById("candidates").scrollIntoView({ block: "nearest" });
    });
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      made.click();
    });
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
    buttons.forEach((one, place) => one.setAttribute("aria-pressed", String(place === number)));
    show(mentions[number], letters);
  }
  if (chosen !== null && buttons[chosen]) {
    choose(chosen);
    if (document.activeElement === document.body) buttons[chosen].focus(); // the button that had the focus no longer exists
  } else clear(mentions.length ? "Choose an acronym to see its possible meanings and how likely each of them is."
    : "This text has no acronyms.");
}

function view(annotated) {
  input.hidden = find.hidden = open.hidden = example.hidden = annotated;
  output.hidden = edit.hidden = copy.hidden = save.hidden = legend.hidden = !annotated;
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
    if (document.activeElement === document.body) edit.focus(); // the submit button is hidden now
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

async function take(given) {
  if (!given) return;
  say(`Reading ${given.name}…`);
  try {
    input.value = await files.read(given, mostBytes);
    name = given.name.replace(/\.[^.]*$/, "");
    view(false);
    form.requestSubmit();
  } catch (error) {
    say(error.message, true);
  }
}

open.addEventListener("click", () => file.click());
file.addEventListener("change", () => {
  take(file.files[0]);
  file.value = ""; // so that the same file can be opened again
});
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return; // dragged text
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
copy.addEventListener("click", () => files.copy(expanded).then(
  () => say("Copied."), () => say("The browser does not allow this page to copy. Download the text instead.", true)));
save.addEventListener("click", () => files.save(expanded, `${name} expanded.txt`, "text/plain"));
example.addEventListener("click", async () => {
  input.value = await (await fetch("example.txt")).text();
  form.requestSubmit();
});
threshold.addEventListener("input", () => (thresholdValue.value = Number(threshold.value).toFixed(2)));
threshold.addEventListener("change", () => annotate());
for (const changed of [own.onChange, (callback) => field.addEventListener("change", callback)]) {
  changed(() => {
    if (!output.hidden) annotate();
  });
}
input.focus();
ask("health").then(({ characters, bytes, language_model: model }) => {
  most = characters;
  mostBytes = bytes;
  hasModel = model;
}, () => {}); // otherwise, the service checks the limits itself
