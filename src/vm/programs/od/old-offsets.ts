/** `od file +10.b`: offsets as operands, as before POSIX. */
import { asNumber, readNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";

interface OldOffsets {
  readonly files: readonly string[];
  readonly skip: number;
  readonly label?: { readonly plus: number };
}

const modern = [
  "address-radix",
  "skip-bytes",
  "read-bytes",
  "strings",
  "format",
  "output-duplicates",
  "width",
  "endian",
];

/** Undefined where the operands are only files. Fails with a UsageError. */
export function readOldOffsets(run: Run): OldOffsets | undefined {
  const isTraditional = run.has("traditional");
  const { operands } = run;
  if (!isTraditional && modern.some((name) => run.has(name))) return undefined;
  const [first = "", second = "", third = ""] = operands;
  const offsets = operands.map(oldOffset);
  const found = findOffsets(isTraditional, operands, offsets);
  if (found !== undefined) return found;
  if (isTraditional && operands.length > 1) {
    const extra = operands.length === 3 && offsets[1] !== undefined ? third : second;
    throw new UsageError(
      `extra operand ${quoteText(extra === "" ? first : extra)}\nod: compatibility mode supports at most one file`,
    );
  }
  return undefined;
}

function findOffsets(
  isTraditional: boolean,
  operands: readonly string[],
  [one, two, three]: readonly (number | undefined)[],
): OldOffsets | undefined {
  const [first = "", second = ""] = operands;
  if (operands.length === 1 && one !== undefined && (isTraditional || first.startsWith("+")))
    return { files: [], skip: one };
  if (operands.length === 2 && two !== undefined && (isTraditional || /^[+\d]/.test(second))) {
    if (isTraditional && one !== undefined)
      return { files: [], skip: one, label: { plus: two - one } };
    return { files: [first], skip: two };
  }
  if (operands.length === 3 && isTraditional && two !== undefined && three !== undefined)
    return { files: [first], skip: two, label: { plus: three - two } };
  return undefined;
}

function oldOffset(text: string): number | undefined {
  const bare = text.replace(/^\+/, "");
  if (bare === "") return undefined;
  const isDecimal = bare.includes(".");
  const digits = isDecimal ? bare.replace(".", "") : bare;
  if (isDecimal || /^0[xX]/.test(digits)) {
    const { value, problem } = readNumber(digits, { suffixes: "Bb", hasBase: !isDecimal });
    return problem === undefined ? asNumber(value) : undefined;
  }
  const match = /^([0-7]+)([bB]?)$/.exec(digits);
  if (match === null) return undefined;
  const unit = match[2] === "b" ? 512 : match[2] === "B" ? 1024 : 1;
  return Number.parseInt(match[1] ?? "0", 8) * unit;
}
