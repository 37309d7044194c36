/** What a jq program is made of. */
import type { Value } from "./value.ts";

export type Expression =
  | { readonly kind: "identity" }
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "field"; readonly target: Expression; readonly key: Expression }
  | {
      readonly kind: "slice";
      readonly target: Expression;
      readonly from: Expression | undefined;
      readonly to: Expression | undefined;
    }
  | { readonly kind: "each"; readonly target: Expression }
  | { readonly kind: "variable"; readonly name: string; readonly at: number }
  | { readonly kind: "pipe"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "comma"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "negate"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "logic";
      readonly operator: "and" | "or" | "//";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "assign";
      /** `=`, `|=`, `//=`, or an arithmetic one without its `=`. */
      readonly operator: "=" | "|=" | "//" | BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly consequence: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: "try"; readonly body: Expression; readonly handler: Expression | undefined }
  | {
      readonly kind: "reduce";
      readonly source: Expression;
      readonly patterns: readonly Pattern[];
      readonly init: Expression;
      readonly update: Expression;
    }
  | {
      readonly kind: "foreach";
      readonly source: Expression;
      readonly patterns: readonly Pattern[];
      readonly init: Expression;
      readonly update: Expression;
      readonly extract: Expression | undefined;
    }
  | {
      readonly kind: "as";
      readonly source: Expression;
      readonly patterns: readonly Pattern[];
      readonly body: Expression;
    }
  | { readonly kind: "label"; readonly name: string; readonly body: Expression }
  | { readonly kind: "break"; readonly name: string; readonly at: number }
  | { readonly kind: "def"; readonly definition: Definition; readonly body: Expression }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  | { readonly kind: "array"; readonly body: Expression | undefined }
  | { readonly kind: "object"; readonly entries: readonly ObjectEntry[] }
  | { readonly kind: "format"; readonly name: string }
  | {
      readonly kind: "string";
      readonly format: string;
      readonly parts: readonly (string | Expression)[];
    };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

export interface ObjectEntry {
  readonly key: Expression;
  readonly value: Expression;
}

/** What `as` takes values apart with. */
export type Pattern =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "items"; readonly items: readonly Pattern[] }
  | { readonly kind: "fields"; readonly fields: readonly PatternField[] };

export interface PatternField {
  /** `{$name}` and `{$name: pattern}` bind the field itself, too. */
  readonly name: string | undefined;
  readonly key: Expression;
  readonly pattern: Pattern | undefined;
}

export interface Definition {
  readonly name: string;
  /** `$name` for values. */
  readonly params: readonly string[];
  readonly body: Expression;
  /** What its body sees, where that is not what surrounds it: a module's own definitions. */
  readonly module?: Module;
}

export interface Import {
  readonly path: string;
  /** The prefix of its functions, `$name` for data; undefined for `include`. */
  readonly name: string | undefined;
  readonly isData: boolean;
  /** `search` of the metadata. */
  readonly search: string | undefined;
  readonly metadata: Value;
}

/** A program or a library, as its text says. */
export interface Module {
  readonly metadata: Value | undefined;
  readonly imports: readonly Import[];
  readonly definitions: readonly Definition[];
  /** The main program; libraries have none. */
  readonly body: Expression | undefined;
}

/** A program that cannot be compiled; `at` is a place in its text. */
export class JqSyntaxError extends Error {
  readonly at: number;
  readonly end: number;
  /** What follows from it, said after it. */
  readonly also: JqSyntaxError | undefined;

  constructor(message: string, at: number, end = at, also?: JqSyntaxError) {
    super(message);
    this.at = at;
    this.end = end;
    this.also = also;
  }
}
