import { formatPrintf } from "./format-printf.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { fixed, shapeOf } from "./seq-shape.ts";

export const main = defineProgram(
  {
    name: "seq",
    usage: ["[OPTION]... LAST", "[OPTION]... FIRST LAST", "[OPTION]... FIRST INCREMENT LAST"],
    summary: "Print numbers from FIRST to LAST, in steps of INCREMENT.",
    options: [
      {
        short: "f",
        long: "format",
        value: "FORMAT",
        help: "use printf style floating-point FORMAT",
      },
      {
        short: "s",
        long: "separator",
        value: "STRING",
        help: "use STRING to separate numbers (default: \\n)",
      },
      { short: "w", long: "equal-width", help: "equalize width by padding with leading zeroes" },
    ],
    isOperand: (word) => /^-\.?\d/.test(word),
  },
  async (run) => {
    const { operands } = run;
    if (operands.length === 0) throw new UsageError("missing operand");
    if (operands.length > 3) throw new UsageError(`extra operand ${quoteName(operands[3] ?? "")}`);
    const format = run.options.get("format");
    if (format !== undefined) checkFormat(format);
    const texts =
      operands.length === 1
        ? ["1", "1", operands[0] ?? ""]
        : operands.length === 2
          ? [operands[0] ?? "", "1", operands[1] ?? ""]
          : operands;
    const [first = 0, step = 1, last = 0] = texts.map(readNumber);
    if (step === 0)
      throw new UsageError(`invalid Zero increment value: ${quoteName(operands[1] ?? "")}`);
    if (format !== undefined && run.has("equal-width")) {
      throw new UsageError("format string may not be specified when printing equal width strings");
    }
    const isLarge =
      texts.every((text) => /^[-+]?\d+$/.test(text)) && texts.some((text) => text.length > 15);
    if (isLarge && format === undefined && !run.has("equal-width")) {
      await printIntegers(
        run,
        texts.map((text) => BigInt(text.replace(/^\+/, ""))),
      );
      return;
    }
    await print(run, { first, step, last, ...shapeOf(texts) });
  },
);

/** One directive for a floating point number, and no more. */
function checkFormat(format: string): void {
  const refuse = (problem: string): UsageError =>
    new UsageError(`format ${quoteName(format)} ${problem}`, { hasHint: false });
  const bare = format.replaceAll("%%", "");
  const at = bare.indexOf("%");
  if (at === -1) throw refuse("has no % directive");
  const [, letter = "", rest = ""] =
    /^%[-+ #0']*\d*(?:\.\d*)?L?(.?)([^]*)$/.exec(bare.slice(at)) ?? [];
  if (letter === "") throw refuse("ends in %");
  if (!/[aAeEfFgG]/.test(letter)) throw refuse(`has unknown %${letter} directive`);
  if (rest.includes("%")) throw refuse("has too many % directives");
}

/** Integers that a floating point number does not hold. */
async function printIntegers(
  run: Run,
  [first = 0n, step = 1n, last = 0n]: readonly bigint[],
): Promise<void> {
  const { out, sys } = run;
  const separator = run.options.get("separator") ?? "\n";
  for (let value = first; step > 0n ? value <= last : value >= last; value += step) {
    out.addText(value === first ? String(value) : `${separator}${value}`);
    if (!out.isFull) continue;
    await out.flush();
    await sys.schedYield();
  }
  if (step > 0n ? first <= last : first >= last) out.addText("\n");
}

interface Sequence {
  readonly first: number;
  readonly step: number;
  readonly last: number;
  readonly digits: number;
  readonly width: number;
}

async function print(run: Run, { first, step, last, digits, width }: Sequence): Promise<void> {
  const { out, sys } = run;
  const format = run.options.get("format");
  const separator = run.options.get("separator") ?? "\n";
  const isPadded = run.has("equal-width");
  const show = (value: number): string => {
    if (format !== undefined) return formatPrintf(format, [String(value)], { quote: String }).text;
    const text = fixed(value, digits);
    if (!isPadded) return text;
    return text.startsWith("-")
      ? `-${text.slice(1).padStart(width - 1, "0")}`
      : text.padStart(width, "0");
  };
  const slack = Math.abs(step) * 1e-10;
  let hasAny = false;
  for (let count = 0; ; count++) {
    const value = count === 0 ? first : first + count * step;
    if (step > 0 ? value > last + slack : value < last - slack) break;
    if (count > 0 && value === first + (count - 1) * step) break;
    out.addText(hasAny ? `${separator}${show(value)}` : show(value));
    hasAny = true;
    if (!out.isFull) continue;
    await out.flush();
    await sys.schedYield();
  }
  if (hasAny) out.addText("\n");
}

function readNumber(operand: string): number {
  const text = operand.trimStart();
  if (/^[-+]?nan$/i.test(text))
    throw new UsageError(`invalid 'not-a-number' argument: ${quoteName(operand)}`);
  if (/^[-+]?0x[0-9a-f]+$/i.test(text))
    return Number(text.replace(/^[-+]/, "")) * (text.startsWith("-") ? -1 : 1);
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?inf(?:inity)?$/i.test(text)) {
    throw new UsageError(`invalid floating point argument: ${quoteName(operand)}`);
  }
  return /inf/i.test(text)
    ? text.startsWith("-")
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
    : Number(text);
}
