/** Names in memory that holds many of them: most are ASCII, for which a loop is quicker than an encoder. */
import { decodeText, encodeText } from "../../kernel/index.ts";

/** The text between two places, as decodeText has it. */
export function readText(memory: Buffer, from: number, to: number): string {
  for (let at = from; at < to; at++) {
    if ((memory[at] ?? 0) > 0x7f) return decodeText(memory.subarray(from, to));
  }
  return memory.toString("latin1", from, to);
}

/** Answers where it ends. A text takes at most three bytes for each of its characters. */
export function writeText(memory: Buffer, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return writeBytes(memory, from, encodeText(text));
    memory[from + i] = unit;
  }
  return from + text.length;
}

function writeBytes(memory: Buffer, from: number, bytes: Uint8Array): number {
  memory.set(bytes, from);
  return from + bytes.length;
}
