import { decodeText, encodeText, isKernelError } from "../../kernel/index.ts";
import { LineCursor } from "./line-cursor.ts";
import { grownSize } from "./memory-limit.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { isUtf8Locale } from "./regexp/characters.ts";

export const main = defineProgram(
  {
    name: "rev",
    usage: ["[option] [file...]"],
    summary: "Reverse lines characterwise.",
    options: [
      { short: "0", long: "zero", help: "lines end with NUL, not newline" },
      { short: "h", help: "same as --help" },
      { short: "V", help: "same as --version" },
    ],
  },
  async (run) => {
    const end = run.has("zero") ? 0 : 10;
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands) {
      try {
        await run.withInput(operand, async (fd) => {
          await reverseLines(run, new LineCursor(run.sys, fd, end), end);
        });
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const what = error.errno === "EISDIR" ? `${operand}: 0` : `cannot open ${operand}`;
        await run.fail(`${what}: ${errorWords(error)}`);
      }
    }
  },
);

/** A NUL hides the rest of its line and the line's end, as it does from util-linux's. */
async function reverseLines({ sys, out }: Run, lines: LineCursor, end: number): Promise<void> {
  const isUtf8 = isUtf8Locale(await sys.environ());
  let before = new Uint8Array(0);
  while (lines.tryAdvance() || (await lines.advance())) {
    const { line } = lines;
    const zero = end === 0 ? -1 : line.indexOf(0);
    if (zero !== -1 && lines.hasDelimiter) {
      before = joined(before, line.subarray(0, zero));
      continue;
    }
    const visible = zero === -1 ? line : line.subarray(0, zero);
    out.add(reversed(before.length === 0 ? visible : joined(before, visible), isUtf8));
    before = new Uint8Array(0);
    if (lines.hasDelimiter) out.addByte(end);
    if (out.isFull) await out.flush();
  }
  out.add(reversed(before, isUtf8));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(grownSize(one.length + other.length, 0));
  both.set(one);
  both.set(other, one.length);
  return both;
}

// Deviation: in the C locale rev turns bytes around, where util-linux's refuses all that is not ASCII.
function reversed(line: Uint8Array, isUtf8: boolean): Uint8Array {
  if (!isUtf8 || line.every((byte) => byte < 128)) return line.toReversed();
  return encodeText([...decodeText(line)].reverse().join(""));
}
