// Requests to the service. A failure becomes an Error whose message is a sentence for the user.

/** Send a GET request, or a POST request with a body (an object or a file), and return the answer. An aborted request throws AbortError. */
export async function ask(path, body, signal) {
  const isFile = body instanceof Blob;
  let answer;
  try {
    answer = await fetch(path, body === undefined ? { signal } : {
      method: "POST",
      headers: { "Content-Type": isFile ? "application/octet-stream" : "application/json" },
      body: isFile ? body : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The service does not answer. Check whether it still runs, then try again.");
  }
  const content = await answer.json().catch(() => null);
  if (answer.ok && content) return content;
  throw new Error(content?.detail ?? `The service failed (${answer.status}). Try again.`);
}
