// Text as fs_read shows it: the lines as they are, then a note if there is anything to know.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type LineWish, readLines } from "./read-lines.ts";
import { decodeUtf8, unfinishedBytes } from "./utf8.ts";

export interface TextWish extends LineWish {
  /** What the text is, for notes. */
  readonly name: string;
}

export async function presentLines(
  chunks: AsyncIterable<Uint8Array>,
  wish: TextWish,
): Promise<CallToolResult> {
  const { name, offset } = wish;
  const lines = await readLines(chunks, wish);
  const { bytes, count, skipped, hasMore, isLineCut, gaveUp } = lines;
  if (gaveUp) {
    return notes([`${name}: line ${offset} is too far away; use vm_exec, for example sed -n.`]);
  }
  if (count === 0) {
    if (offset === 1) return notes([`${name} is empty.`]);
    return notes([`${name} has ${skipped} complete lines: there is no line ${offset}.`]);
  }
  const whole = isLineCut ? bytes.subarray(0, bytes.length - unfinishedBytes(bytes)) : bytes;
  const { text, isBinary } = decodeUtf8(whole);
  const said: string[] = [];
  if (isLineCut) {
    said.push(
      `Line ${offset} is cut after ${whole.length} bytes; its rest: encoding base64, or vm_exec.`,
    );
  } else if (hasMore) {
    const last = offset + count - 1;
    said.push(`Lines ${offset} to ${last}; continue with offset ${last + 1}.`);
  }
  if (isBinary) said.push("Bytes that are no UTF-8 show as U+FFFD; encoding base64 shows all.");
  return { content: [{ type: "text", text }, ...notes(said).content] };
}

function notes(texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text: `[${text}]` })) };
}
