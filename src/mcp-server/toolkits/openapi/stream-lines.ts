import type { SecretValues } from "./credentials/secret-values.ts";

/** A line that is longer is passed on in pieces. */
const LINE_CHARACTERS = 1024 * 1024;

/** Whether an API sends its answer as it comes about. */
export function isStream(headers: Headers): boolean {
  const type = headers.get("content-type") ?? "";
  return /^(text\/event-stream|application\/(x-)?(ndjson|jsonl|json-seq|jsonlines))\b/i.test(type);
}

/** The text line by line as it arrives, secrets hidden: none of them has a line break. */
export async function* streamLines(
  body: ReadableStream<Uint8Array>,
  values: SecretValues,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true });
    const end = rest.lastIndexOf("\n") + 1 || (rest.length > LINE_CHARACTERS ? rest.length : 0);
    if (end === 0) continue;
    yield values.hide(rest.slice(0, end));
    rest = rest.slice(end);
  }
  rest += decoder.decode();
  if (rest !== "") yield values.hide(rest);
}
