import { decodeText } from "../../../kernel/index.ts";

/** What a process of a host command starts with. */
export interface CommandStart {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

/** Arguments and variables of one process: far more than anybody has. */
export const TEXTS_LIMIT = 131_072;

export function countTexts(body: Uint8Array): number {
  let count = 0;
  for (let at = body.indexOf(0); at >= 0; at = body.indexOf(0, at + 1)) count += 1;
  return count;
}

/** Reads the body of `startCommand`; undefined when it is none. */
export function readStart(body: Uint8Array, words: number): CommandStart | undefined {
  if (body.at(-1) !== 0) return undefined;
  const [cwd = "", ...texts] = decodeText(body.subarray(0, -1)).split("\0");
  if (words < 1 || texts.length < words || !cwd.startsWith("/")) return undefined;
  const env = new Map<string, string>();
  for (const text of texts.slice(words)) {
    const at = text.indexOf("=");
    if (at > 0) env.set(text.slice(0, at), text.slice(at + 1));
  }
  return { cwd, argv: texts.slice(0, words), env };
}
