import { formatPrintf } from "./format-printf.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

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
    const texts =
      operands.length === 1
        ? ["1", "1", operands[0] ?? ""]
        : operands.length === 2
          ? [operands[0] ?? "", "1", operands[1] ?? ""]
          : operands;
    const [first = 0, step = 1, last = 0] = texts.map(readNumber);
    if (step === 0)
      throw new UsageError(`invalid Zero increment value: ${quoteName(operands[1] ?? "")}`);
    const digits = Math.max(fraction(texts[0] ?? ""), fraction(texts[1] ?? ""));
    await print(run, { first, step, last, digits, width: widthOf(texts, digits) });
  },
);

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
    const text = value.toFixed(digits);
    if (!isPadded) return text;
    return value < 0 ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
  };
  const slack = Math.abs(step) * 1e-10;
  let hasAny = false;
  for (let count = 0; ; count++) {
    const value = first + count * step;
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

function readNumber(text: string): number {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?inf(?:inity)?$/i.test(text)) {
    throw new UsageError(`invalid floating point argument: ${quoteName(text)}`);
  }
  return /inf/i.test(text)
    ? text.startsWith("-")
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
    : Number(text);
}

function fraction(text: string): number {
  return /e/i.test(text) ? 0 : (text.split(".")[1]?.length ?? 0);
}

function widthOf(texts: readonly string[], digits: number): number {
  const [first = "", , last = ""] = texts;
  return Math.max(
    ...[first, last].map((text) => (/inf/i.test(text) ? 0 : Number(text).toFixed(digits).length)),
  );
}
