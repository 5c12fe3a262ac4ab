// Files in and out of the page: read by the service, copied, saved.

import { ask } from "./service.js";

/** The plain text of a file. Throws an Error whose message is a sentence for the visitor. */
export async function read(file, mostBytes) {
  if (file.size > mostBytes) throw new Error(`${file.name} is too large for the service.`);
  return (await ask(`read?name=${encodeURIComponent(file.name)}`, file)).text;
}

/** Let the visitor save a text as a file. */
export function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Put a text into the clipboard, which browsers hide from a page that comes without TLS. */
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
