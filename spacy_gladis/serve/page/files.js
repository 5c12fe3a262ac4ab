// Functions that read a file with the service, save a text as a file, and copy a text.

import { ask } from "./service.js";

/** Return the plain text of a file. Throws an Error whose message is a sentence for the user. */
export async function read(file, mostBytes) {
  if (file.size > mostBytes) throw new Error(`${file.name} is too large for the service. Open a smaller file.`);
  return (await ask(`read?name=${encodeURIComponent(file.name)}`, file)).text;
}

/** Let the user save a text as a file. */
export function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Copy a text to the clipboard. Browsers hide `navigator.clipboard` from pages without TLS. */
export async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
