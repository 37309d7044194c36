import type { Shell } from "../state/shell.ts";

/** A command the shell runs itself. words[0] is its name; the answer is its status. */
export type Builtin = (shell: Shell, words: readonly string[]) => Promise<number> | number;

export interface Flags {
  readonly on: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/**
 * Reads single-letter options as bash's builtins do. In `letters` a colon marks one with a value.
 * Undefined after an unknown one, which has been complained about: the status is then 2.
 */
export async function readFlags(
  shell: Shell,
  words: readonly string[],
  letters: string,
  usage: string,
): Promise<Flags | undefined> {
  const [name = ""] = words;
  const on = new Set<string>();
  const values = new Map<string, string>();
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!/^-./.test(word)) break;
    if (word === "--") {
      at += 1;
      break;
    }
    for (let place = 1; place < word.length; place++) {
      const letter = word.charAt(place);
      const known = letters.indexOf(letter);
      if (known === -1 || letter === ":") {
        await complainOption(shell, name, `-${letter}: invalid option`, usage);
        return undefined;
      }
      on.add(letter);
      if (letters.charAt(known + 1) !== ":") continue;
      const rest = word.slice(place + 1);
      const value = rest === "" ? words[(at += 1)] : rest;
      if (value === undefined) {
        await complainOption(shell, name, `-${letter}: option requires an argument`, usage);
        return undefined;
      }
      values.set(letter, value);
      break;
    }
  }
  return { on, values, operands: words.slice(at) };
}

async function complainOption(
  shell: Shell,
  name: string,
  message: string,
  usage: string,
): Promise<void> {
  await shell.complain(`${name}: ${message}`);
  await shell.write(2, `${name}: usage: ${usage}\n`);
}

/** A count or status given as a number; undefined where it is none. */
export function readNumber(text: string): number | undefined {
  return /^[-+]?\d+$/.test(text.trim()) ? Number(text) : undefined;
}
