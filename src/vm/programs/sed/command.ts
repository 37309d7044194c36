/** A sed script as its parser leaves it. Text is bytes as Latin-1: one character is one byte. */
import type { LineRegExp } from "../regexp/line-regexp.ts";

/** Undefined is the empty regular expression: the one used last. */
export type SedRegExp = LineRegExp | undefined;

export type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  | { readonly kind: "last" }
  | { readonly kind: "regexp"; readonly regExp: SedRegExp }
  /** `addr,+N` and `addr,~N`. */
  | { readonly kind: "plus"; readonly count: number }
  | { readonly kind: "multiple"; readonly count: number };

export type ReplacementPart =
  | { readonly kind: "text"; readonly bytes: Uint8Array }
  | { readonly kind: "group"; readonly index: number }
  | { readonly kind: "case"; readonly letter: "U" | "L" | "u" | "l" | "E" };

export interface Substitution {
  readonly regExp: SedRegExp;
  readonly parts: readonly ReplacementPart[];
  readonly isGlobal: boolean;
  /** The match replaced first. */
  readonly number: number;
  readonly prints: boolean;
  readonly runs: boolean;
  readonly file: string | undefined;
}

export type Action =
  | { readonly name: "{"; end: number }
  | { readonly name: "}" }
  | { readonly name: "b" | "t" | "T"; readonly label: string; to: number }
  | { readonly name: "a" | "c"; readonly text: Uint8Array }
  | { readonly name: "i"; readonly text: Uint8Array }
  | { readonly name: "q" | "Q"; readonly number: number }
  | { readonly name: "l"; readonly number: number }
  | { readonly name: "r" | "R"; readonly file: string }
  | { readonly name: "w" | "W"; readonly file: string }
  | { readonly name: "e"; readonly command: string }
  | { readonly name: "s"; readonly substitution: Substitution }
  | { readonly name: "y"; readonly map: Translation }
  | { readonly name: "=" | "F" | "p" | "P" }
  | { readonly name: "d" | "D" | "n" | "N" | "g" | "G" | "h" | "H" | "x" | "z" };

/** Where each character goes: of one byte, and of several. */
export interface Translation {
  readonly bytes: Uint8Array;
  readonly longer: ReadonlyMap<string, Uint8Array>;
}

export interface Command {
  readonly action: Action;
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly isNegated: boolean;
  /** Whether the range from `from` to `to` has started, and the line it ends at. */
  range: "new" | "open" | "closed";
  rangeEnd: number;
}

/** A script that sed does not know, in GNU's words, or another reason to stop. */
export class SedError extends Error {
  readonly status: number;

  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}
