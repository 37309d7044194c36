import { encodeText } from "../../../kernel/index.ts";
import { asNumber, rangedNumber, readNumber, SIZE_SUFFIXES } from "../number-argument.ts";
import { refuseExtraOperand, UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import type { SuffixForm } from "./suffixes.ts";

export type Way =
  | { readonly kind: "lines" | "bytes" | "line-bytes"; readonly limit: number }
  | {
      readonly kind: "chunk-bytes" | "chunk-lines" | "deal";
      readonly count: number;
      readonly only: number | undefined;
    };

/** How the input is to be split. Fails with a UsageError. */
export function readWay(run: Run): Way {
  const { options } = run;
  const named = ["lines", "bytes", "line-bytes", "number"].filter((name) => options.has(name));
  const digits = options.order.filter((name) => /^\d$/.test(name));
  const given = named.reduce((sum, name) => sum + options.all(name).length, 0);
  if (given + (digits.length > 0 ? 1 : 0) > 1)
    throw new UsageError("cannot split in more than one way");
  const [kind] = named;
  const text = options.get(kind ?? "") ?? "";
  if (digits.length > 0) {
    const number = digits.map((digit) => `${digit}${options.get(digit) ?? ""}`).join("");
    return { kind: "lines", limit: positive("lines", number, "") };
  }
  if (kind === undefined) return { kind: "lines", limit: 1000 };
  if (kind === "number") return readChunks(text);
  if (kind === "lines") return { kind, limit: positive("lines", text, "") };
  return {
    kind: kind === "bytes" ? "bytes" : "line-bytes",
    limit: positive("bytes", text, SIZE_SUFFIXES),
  };
}

function positive(what: string, text: string, suffixes: string): number {
  return asNumber(rangedNumber(`invalid number of ${what}`, text, { least: 1n, suffixes }));
}

function readChunks(text: string): Way {
  const [, letter, rest = ""] = /^(?:([lr])\/)?(.*)$/s.exec(text) ?? [];
  const kind = letter === "l" ? "chunk-lines" : letter === "r" ? "deal" : "chunk-bytes";
  const slash = rest.indexOf("/");
  const total = slash === -1 ? rest : rest.slice(slash + 1);
  const count = asNumber(rangedNumber("invalid number of chunks", total, { least: 1n }));
  if (slash === -1) return { kind, count, only: undefined };
  const only = rangedNumber("invalid chunk number", rest.slice(0, slash), {
    least: 1n,
    most: BigInt(count),
  });
  return { kind, count, only: asNumber(only) };
}

export function readSeparator(run: Run): number {
  let separator: number | undefined;
  for (const text of run.options.all("separator")) {
    if (text === "") throw refused("empty record separator");
    const bytes = encodeText(text);
    if (bytes.length > 1 && text !== "\\0")
      throw refused(`multi-character separator ${quoteText(text)}`);
    const next = text === "\\0" ? 0 : (bytes[0] ?? 10);
    if (separator !== undefined && separator !== next)
      throw refused("multiple separator characters specified");
    separator = next;
  }
  return separator ?? 10;
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

/** How the outputs are named. Fails with a UsageError. */
export function readSuffixes(run: Run, way: Way): SuffixForm {
  const { options } = run;
  const tail = options.get("additional-suffix") ?? "";
  if (tail.includes("/"))
    throw new UsageError(`invalid suffix ${quoteText(tail)}, contains directory separator`);
  const kind = options.last("d", "numeric-suffixes", "x", "hex-suffixes");
  const isHex = kind === "x" || kind === "hex-suffixes";
  const alphabet =
    kind === undefined ? "abcdefghijklmnopqrstuvwxyz" : isHex ? "0123456789abcdef" : "0123456789";
  const start = kind === undefined ? "" : readStart(options.get(kind) ?? "", isHex);
  const asked = options.get("suffix-length");
  const length = asked === undefined ? 0 : asNumber(rangedNumber("invalid suffix length", asked));
  const count = "count" in way ? way.count : 0;
  const needed = count === 0 ? 0 : neededLength(count, start, alphabet);
  if (length > 0 && length < needed)
    throw refused(`the suffix length needs to be at least ${needed}`);
  refuseExtraOperand(run.operands, 2);
  return {
    prefix: run.operands[1] ?? "x",
    tail,
    alphabet,
    length: Math.min(length > 0 ? length : Math.max(2, needed, start.length), 4096),
    isGrowing: length === 0 && count === 0 && start === "",
    start,
  };
}

function readStart(text: string, isHex: boolean): string {
  const isGood = isHex ? /^[0-9a-fA-F]*$/.test(text) : /^\d*$/.test(text);
  if (isGood) return text.toLowerCase();
  const kind = isHex ? "hexadecimal" : "numerical";
  throw new UsageError(`${quoteText(text)}: invalid start value for ${kind} suffix`);
}

/** Letters that so many names need. */
function neededLength(count: number, start: string, alphabet: string): number {
  const { value } = readNumber(start === "" ? "0" : start);
  let last = BigInt(count) - 1n + (value < BigInt(count) ? value : 0n);
  let length = 0;
  do {
    length += 1;
    last /= BigInt(alphabet.length);
  } while (last > 0n);
  return length;
}
