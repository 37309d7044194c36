import { RegExpSyntaxError } from "./errors.ts";

export interface Interval {
  readonly least: number;
  readonly most: number;
  /** Behind the closing brace. */
  readonly end: number;
}

interface IntervalStyle {
  readonly isExtended: boolean;
  /** What is no interval is text. */
  readonly isLenient: boolean;
}

/** GNU's RE_DUP_MAX. */
const REPEAT_LIMIT = 32_767;

/** What stands behind an opening brace. Undefined is text; fails with a RegExpSyntaxError. */
export function readInterval(
  codes: readonly number[],
  from: number,
  { isExtended, isLenient }: IntervalStyle,
): Interval | undefined {
  const text = String.fromCodePoint(
    ...codes.slice(from, from + 64).map((code) => Math.min(code, 0x10ffff)),
  );
  const close = isExtended ? "}" : "\\}";
  const stop = text.indexOf(close);
  const body = stop === -1 ? text : text.slice(0, stop);
  const [, least = "", comma = "", most = "", rest = ""] =
    /^(\d*)(?:(,)(\d*))?([^]*)$/.exec(body) ?? [];
  const isNumbers = rest === "" || (comma !== "" && rest.startsWith(","));
  if (!isNumbers || (stop === -1 && rest === "")) {
    if (isLenient) return undefined;
    throw new RegExpSyntaxError(stop === -1 ? "Unmatched \\{" : "Invalid content of \\{\\}");
  }
  if ((least === "" && comma === "") || rest !== "") {
    throw new RegExpSyntaxError("Invalid content of \\{\\}");
  }
  const from0 = Number(least);
  const to = comma === "" ? from0 : most === "" ? Number.POSITIVE_INFINITY : Number(most);
  if (to < from0) throw new RegExpSyntaxError("Invalid content of \\{\\}");
  if (from0 > REPEAT_LIMIT || (to > REPEAT_LIMIT && to !== Number.POSITIVE_INFINITY))
    throw new RegExpSyntaxError("Regular expression too big");
  return { least: from0, most: to, end: from + stop + close.length };
}
