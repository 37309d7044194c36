import { decodeText } from "../../../kernel/index.ts";
import { quoteText } from "../expansion/quote-text.ts";
import { toIndexed } from "../state/assign.ts";
import { readUntil } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { IndexedArray } from "../state/variables.ts";
import { readFlags } from "./builtin.ts";

const usage =
  "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]";

/** `mapfile` and `readarray`: lines into an array. */
export async function mapfile(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "d:n:O:s:tu:C:c:", usage);
  if (flags === undefined) return 2;
  const number = (letter: string, otherwise: number): number =>
    Number(flags.values.get(letter) ?? otherwise);
  const delimiterText = flags.values.get("d");
  const delimiter =
    delimiterText === undefined
      ? 10
      : delimiterText === ""
        ? 0
        : (delimiterText.codePointAt(0) ?? 10);
  const variable = shell.variables.ensure(flags.operands[0] ?? "MAPFILE");
  if (!flags.values.has("O")) variable.value = new IndexedArray();
  const { elements } = toIndexed(variable);
  const origin = number("O", 0);
  const skipped = number("s", 0);
  const most = number("n", 0);
  const quantum = number("c", 5000);
  const callback = flags.values.get("C");
  for (let at = 0; most === 0 || at < most + skipped; at++) {
    const line = await readUntil(shell, number("u", 0), delimiter);
    if (line === undefined) break;
    if (at < skipped) continue;
    const index = origin + at - skipped;
    const end = line.isWhole && !flags.on.has("t") ? String.fromCodePoint(delimiter) : "";
    const text = decodeText(line.bytes) + end;
    const count = at - skipped + 1;
    if (callback !== undefined && count % quantum === 0) {
      await shell.interpreter.runSource(
        shell,
        `${callback} ${index} ${quoteText(text)}`,
        shell.line,
      );
    }
    elements.set(index, text);
  }
  return 0;
}
