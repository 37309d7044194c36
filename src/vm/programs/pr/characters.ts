/** What pr's -c, -e, -i and -v do to characters. */
import { encodeText } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";

interface TabPlan {
  readonly mark: string;
  readonly width: number;
}

/** `-e[CHAR[WIDTH]]` and `-i[CHAR[WIDTH]]`. Fails with a UsageError. */
function readTabs(run: Run, option: string, letter: string): TabPlan | undefined {
  const text = run.options.get(option);
  if (text === undefined) return undefined;
  const [, mark = "", width = ""] = /^(\D?)([^]*)$/u.exec(text) ?? [];
  if (!/^\d*$/.test(width) || (width !== "" && Number(width) === 0))
    throw new UsageError(
      `'-${letter}' extra characters or invalid number in the argument: ${quoteText(width)}`,
    );
  return {
    mark: mark === "" ? "\t" : mark,
    width: width === "" ? 8 : Math.min(Number(width), 10_000),
  };
}

export interface Characters {
  /** A line as it is read. */
  readonly prepare: (line: string) => string;
  /** A line as it is written. */
  readonly finish: (line: string) => string;
}

export function readCharacters(run: Run): Characters {
  const input = readTabs(run, "expand-tabs", "e");
  const output = readTabs(run, "output-tabs", "i");
  const isOctal = run.has("show-nonprinting");
  const isShown = isOctal || run.has("show-control-chars");
  const shape = (line: string): string =>
    [...line].map((one) => (one === "\t" ? one : showCharacter(one, isOctal))).join("");
  return {
    prepare: (line) => {
      const shown = isShown ? shape(line) : line;
      return input === undefined ? shown : expandTabs(shown, input);
    },
    finish: (line) => (output === undefined ? line : compressBlanks(line, output)),
  };
}

/** `^A` or `\001`; what is no ASCII is octal always. */
function showCharacter(character: string, isOctal: boolean): string {
  if (character >= " " && character <= "~") return character;
  const bytes = [...encodeText(character)];
  const [first = 0] = bytes;
  if (first < 128 && !isOctal) return `^${String.fromCharCode(first ^ 64)}`;
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

function expandTabs(line: string, { mark, width }: TabPlan): string {
  let text = "";
  let column = 0;
  for (const character of line) {
    const isTab = character === mark || character === "\t";
    const stop = character === mark ? width : 8;
    const size = isTab ? stop - (column % stop) : 1;
    text += isTab ? " ".repeat(size) : character;
    column += size;
  }
  return text;
}

/** Spaces that reach a tab stop become tabs, but for a single one. */
function compressBlanks(line: string, { mark, width }: TabPlan): string {
  let column = 0;
  return line.replace(/ +|[^ ]+/g, (run) => {
    const from = column;
    column += run.length;
    if (!run.startsWith(" ")) return run;
    let text = "";
    let at = from;
    for (let next = at + width - (at % width); column - at > 1 && next <= column; ) {
      text += mark;
      at = next;
      next = at + width;
    }
    return text + " ".repeat(column - at);
  });
}
