import { UsageError } from "../options.ts";

export interface SuffixForm {
  readonly prefix: string;
  /** Behind the suffix. */
  readonly tail: string;
  readonly alphabet: string;
  readonly length: number;
  /** Grows when the suffixes of a length are used up but for those that start with the last letter. */
  readonly isGrowing: boolean;
  /** Digits to begin with. */
  readonly start: string;
}

/** The names of output files, one after the other. Fails with a UsageError after the last. */
export function* suffixedNames(form: SuffixForm): Generator<string, never> {
  const { alphabet, tail } = form;
  const last = alphabet.length - 1;
  let { prefix, length } = form;
  let digits = firstDigits(form);
  for (;;) {
    yield `${prefix}${digits.map((digit) => alphabet.charAt(digit)).join("")}${tail}`;
    let at = length - 1;
    while (at >= 0 && digits[at] === last) digits[at--] = 0;
    if (at < 0) throw new UsageError("output file suffixes exhausted", { hasHint: false });
    digits[at] = (digits[at] ?? 0) + 1;
    if (form.isGrowing && at === 0 && digits[0] === last) {
      prefix += alphabet.charAt(last);
      length += 1;
      digits = Array.from({ length }, () => 0);
    }
  }
}

function firstDigits({ alphabet, length, start }: SuffixForm): number[] {
  const padded = start.padStart(length, alphabet.charAt(0)).slice(-length);
  return Array.from(padded, (letter) => alphabet.indexOf(letter));
}
