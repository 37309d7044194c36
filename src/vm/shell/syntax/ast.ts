/**
 * The shell's own syntax tree. The parser behind `parse.ts` can change; what runs and expands knows
 * only these shapes.
 */

import type { TestExpression } from "./test-ast.ts";

/** Source that runs: what `parse` gives for a whole text, and what a substitution holds. */
export interface Script {
  readonly statements: readonly Statement[];
  /** The first error; the statements before it may run, as bash runs them. */
  readonly error: SyntaxProblem | undefined;
  /** A here-document that the end of the text ends, where there is one. */
  readonly openHereDocument?:
    | { readonly delimiter: string; readonly line: number; readonly endLine: number }
    | undefined;
}

export interface SyntaxProblem {
  /** In bash's words, without the place. */
  readonly message: string;
  readonly line: number;
  /** More input could mend it: an open quote, an open `if`. */
  readonly isIncomplete: boolean;
  /** Where more input could mend it: what a line must hold to do so. */
  readonly closer?: string;
  /** The line it is on, for a problem bash shows it for. */
  readonly lineText?: string;
  readonly detail?: string;
  /** Only its line is dropped, with status 1: an array that cannot be read. */
  readonly isLineOnly?: boolean;
  /** The text ends there, but the status stays what it was: `[[` that cannot be read. */
  readonly keepsStatus?: boolean;
}

export interface Statement {
  readonly command: ListNode;
  readonly isBackground: boolean;
  readonly line: number;
  /** The line it ends on. */
  readonly endLine: number;
  /** The source, for `jobs`. */
  readonly text: string;
}

export type ListNode = AndOr | PipelineNode;
export type PipelineNode = Pipeline | Command;

export interface AndOr {
  readonly kind: "and-or";
  readonly first: PipelineNode;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly command: PipelineNode }[];
}

export interface Pipeline {
  readonly kind: "pipeline";
  readonly commands: readonly Command[];
  /** For each `|` whether it is `|&`. */
  readonly pipesStderr: readonly boolean[];
  readonly isNegated: boolean;
  readonly timed: "no" | "bash" | "posix";
}

export type Command =
  | SimpleCommand
  | CompoundCommand
  | {
      readonly kind: "redirected";
      readonly command: CompoundCommand;
      readonly redirects: readonly Redirect[];
    }
  | FunctionDefinition
  | Coprocess;

export interface SimpleCommand {
  readonly kind: "simple";
  readonly line: number;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Argument[];
  readonly redirects: readonly Redirect[];
}

/** A word, or an assignment as an argument of `declare` and the like. */
export type Argument = Word | Assignment;

export type CompoundCommand =
  | { readonly kind: "group"; readonly body: Body }
  | { readonly kind: "subshell"; readonly body: Body; readonly line: number }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly condition: Body; readonly body: Body }[];
      readonly otherwise: Body | undefined;
    }
  | {
      readonly kind: "loop";
      readonly until: boolean;
      readonly condition: Body;
      readonly body: Body;
    }
  | ForLoop
  | {
      readonly kind: "arithmetic-for";
      readonly line: number;
      readonly initialize: ArithmeticText | undefined;
      readonly test: ArithmeticText | undefined;
      readonly update: ArithmeticText | undefined;
      readonly body: Body;
    }
  | {
      readonly kind: "case";
      readonly line: number;
      readonly word: Word;
      readonly items: readonly CaseItem[];
    }
  | { readonly kind: "test"; readonly line: number; readonly expression: TestExpression }
  | { readonly kind: "arithmetic"; readonly line: number; readonly expression: ArithmeticText };

export type Body = readonly Statement[];

export interface ForLoop {
  readonly kind: "for" | "select";
  readonly line: number;
  readonly name: string;
  /** Undefined is `"$@"`. */
  readonly words: readonly Word[] | undefined;
  readonly body: Body;
}

export interface CaseItem {
  readonly patterns: readonly Word[];
  readonly body: Body;
  readonly end: ";;" | ";&" | ";;&";
}

export interface FunctionDefinition {
  readonly kind: "function";
  readonly name: string;
  readonly line: number;
  readonly body: Command;
  readonly text: string;
  /** The file it was defined in, once it is. */
  readonly file?: string;
  readonly isReadonly?: boolean;
  readonly isExported?: boolean;
}

export interface Coprocess {
  readonly kind: "coprocess";
  readonly name: string | undefined;
  readonly body: Command;
  readonly line: number;
  readonly text: string;
}

export interface Assignment {
  readonly kind: "assignment";
  readonly name: string;
  readonly index: Word | undefined;
  readonly isAppend: boolean;
  readonly value: Word | ArrayLiteral;
  readonly text: string;
}

export interface ArrayLiteral {
  readonly kind: "array";
  readonly elements: readonly ArrayElement[];
}

/** `value`, `[index]=value` or `[index]+=value` in an array literal. */
export interface ArrayElement {
  readonly index: Word | undefined;
  readonly isAppend: boolean;
  readonly value: Word;
}

export interface Word {
  readonly kind: "word";
  readonly parts: readonly WordPart[];
  /** The value where expansion changes nothing: no quotes, substitutions, globs, braces or tilde. */
  readonly literal: string | undefined;
  readonly hasBraces: boolean;
  readonly text: string;
}

export type WordPart =
  | LiteralPart
  | QuotedPart
  | ParameterPart
  | CommandPart
  | ArithmeticPart
  | ProcessPart;

/** Text that stands for itself; unquoted text may still hold glob characters, braces and a tilde. */
export interface LiteralPart {
  readonly kind: "literal";
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A double-quoted stretch: kept as one so that `""` and `"$@"` make their fields. */
export interface QuotedPart {
  readonly kind: "quoted";
  readonly parts: readonly WordPart[];
}

export interface ParameterPart {
  readonly kind: "parameter";
  readonly name: string;
  readonly prefix: "!" | "#" | undefined;
  readonly index: Word | undefined;
  readonly operation: ParameterOperation | undefined;
  readonly text: string;
}

export type ParameterOperation =
  | {
      readonly kind: "default";
      readonly operator: "-" | "=" | "+" | "?";
      readonly isColon: boolean;
      readonly operand: Word;
    }
  | { readonly kind: "remove"; readonly operator: "#" | "##" | "%" | "%%"; readonly pattern: Word }
  | {
      readonly kind: "replace";
      readonly operator: "/" | "//" | "/#" | "/%";
      readonly pattern: Word;
      readonly replacement: Word;
    }
  | {
      readonly kind: "slice";
      readonly offset: ArithmeticText;
      readonly length: ArithmeticText | undefined;
    }
  | {
      readonly kind: "case";
      readonly operator: "^" | "^^" | "," | ",," | "~" | "~~";
      readonly pattern: Word | undefined;
    }
  | { readonly kind: "transform"; readonly operator: string }
  | { readonly kind: "names"; readonly operator: "@" | "*" }
  | { readonly kind: "bad" };

export interface CommandPart {
  readonly kind: "command";
  /** Parsed when first asked for, without aliases. */
  readonly script: Script;
  /** What stands between the brackets, to be read again where aliases count. */
  readonly source: SubstitutionSource;
}

export interface SubstitutionSource {
  readonly text: string;
  readonly line: number;
  readonly isBackquoted?: boolean;
}

export interface ArithmeticPart {
  readonly kind: "arithmetic";
  readonly expression: ArithmeticText;
}

export interface ProcessPart {
  readonly kind: "process";
  readonly direction: "<" | ">";
  readonly script: Script;
  readonly source: SubstitutionSource;
}

/** An arithmetic expression as written: its expansions (no `parts`: none) are made first, then it is parsed. */
export interface ArithmeticText {
  readonly text: string;
  readonly parts: readonly WordPart[] | undefined;
}

export type RedirectOperator = ">" | ">>" | "<" | "<>" | "<&" | ">&" | ">|" | "&>" | "&>>";

/** `fd` is a number, or the variable of `{name}>file`; undefined is the operator's own. */
export type Redirect =
  | {
      readonly kind: "file";
      readonly operator: RedirectOperator;
      readonly fd: number | string | undefined;
      readonly target: Word;
    }
  | {
      readonly kind: "here";
      readonly fd: number | string | undefined;
      /** A here-string's word, or a here-document's body, tabs already stripped. */
      readonly body: Word;
      readonly isString: boolean;
      /** A here-document as written, for `declare -f`. */
      readonly document?: HereDocument;
    };

export interface HereDocument {
  /** With its quotes. */
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly text: string;
}
