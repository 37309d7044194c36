/** The parser's words as ours: quoting resolved, globs and braces flattened into unquoted text. */
import type * as unbash from "unbash";
import type {
  ArithmeticText,
  CommandPart,
  ParameterOperation,
  ParameterPart,
  ProcessPart,
  Script,
  Word,
  WordPart,
} from "./ast.ts";
import { SourceLines } from "./source-lines.ts";

/** What a word needs of the rest of the adapter: its source, and how nested source is read. */
export interface AdaptContext {
  readonly lines: SourceLines;
  /** Set when a here-document has no end. */
  openHereDocument: Script["openHereDocument"];
  readonly adaptScript: (parsed: unbash.ParsedScript, lines: SourceLines) => Script;
  /** Reads text as a here-document's body: expansions, no quotes. */
  readonly readTemplate: (text: string) => readonly WordPart[];
}

export function adaptWord(word: unbash.Word, context: AdaptContext): Word {
  if (word.parts === undefined) return makeWord(splitEscapes(word.text), word.text);
  return makeWord(adaptParts(word.parts, context), word.text, containsBraces(word.parts));
}

/** A word from parts of ours. */
export function makeWord(parts: readonly WordPart[], text: string, hasBraces = false): Word {
  return { kind: "word", parts, literal: plainText(parts, hasBraces), hasBraces, text };
}

/** The parts of a double-quoted stretch or of a here-document: everything literal is quoted. */
export function adaptQuotedParts(
  parts: readonly unbash.WordPart[],
  context: AdaptContext,
): WordPart[] {
  return parts.map((part): WordPart => {
    if (part.type === "Literal") return { kind: "literal", text: part.value, isQuoted: true };
    if (part.type === "ParameterExpansion") return adaptParameter(part, context, true);
    return adaptPart(part, context)[0] ?? { kind: "literal", text: "", isQuoted: true };
  });
}

export function arithmeticText(text: string, context: AdaptContext): ArithmeticText {
  return { text, parts: /[$`\\"]/.test(text) ? context.readTemplate(text) : undefined };
}

function adaptParts(parts: readonly unbash.WordPart[], context: AdaptContext): WordPart[] {
  return mergeLiterals(parts.flatMap((part) => adaptPart(part, context)));
}

function adaptPart(part: unbash.WordPart, context: AdaptContext): WordPart[] {
  switch (part.type) {
    case "Literal":
      return splitEscapes(part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ kind: "literal", text: part.value, isQuoted: true }];
    case "DoubleQuoted":
    case "LocaleString":
      return [{ kind: "quoted", parts: adaptQuotedParts(part.parts, context) }];
    case "SimpleExpansion":
      return [simpleParameter(part.text)];
    case "ParameterExpansion":
      return [adaptParameter(part, context, false)];
    case "CommandExpansion":
      return [new CommandSubstitution(part, context)];
    case "ArithmeticExpansion":
      return [
        { kind: "arithmetic", expression: arithmeticText(arithmeticBody(part.text), context) },
      ];
    case "ProcessSubstitution":
      return [new ProcessSubstitution(part, context)];
    case "Glob":
      return part.kind === "bracket" ? flatten("[", part, context) : [unquoted(part.text)];
    case "ExtendedGlob":
      return flatten(`${part.operator}(`, part, context);
    case "BraceExpansion":
      return flatten("{", part, context);
  }
}

class CommandSubstitution implements CommandPart {
  readonly kind = "command";
  readonly #part: Holder;
  readonly #context: AdaptContext;
  #script: Script | undefined;

  constructor(part: Holder, context: AdaptContext) {
    this.#part = part;
    this.#context = context;
  }

  get script(): Script {
    this.#script ??= adaptHeld(this.#part, this.#context);
    return this.#script;
  }
}

class ProcessSubstitution implements ProcessPart {
  readonly kind = "process";
  readonly direction: "<" | ">";
  readonly #part: Holder;
  readonly #context: AdaptContext;
  #script: Script | undefined;

  constructor(part: unbash.ProcessSubstitutionPart, context: AdaptContext) {
    this.direction = part.operator;
    this.#part = part;
    this.#context = context;
  }

  get script(): Script {
    this.#script ??= adaptHeld(this.#part, this.#context);
    return this.#script;
  }
}

interface Holder {
  readonly pos: number;
  readonly script: unbash.ParsedScript | undefined;
}

function adaptHeld(holder: Holder, { lines, adaptScript }: AdaptContext): Script {
  const parsed = holder.script;
  if (parsed === undefined) return { statements: [], error: undefined };
  if (parsed.source === undefined) return adaptScript(parsed, lines);
  return adaptScript(parsed, new SourceLines(parsed.source, lines.lineAt(holder.pos)));
}

interface Nest {
  readonly text: string;
  readonly parts?: readonly unbash.WordPart[] | undefined;
}

function flatten(open: string, nest: Nest, context: AdaptContext): WordPart[] {
  if (nest.parts === undefined) return splitEscapes(nest.text);
  const inner = nest.parts.flatMap((part) => adaptPart(part, context));
  return [unquoted(open), ...inner, unquoted(nest.text.slice(-1))];
}

function simpleParameter(text: string): ParameterPart {
  const name = text.slice(1);
  return {
    kind: "parameter",
    name,
    prefix: undefined,
    index: undefined,
    operation: undefined,
    text,
  };
}

function adaptParameter(
  part: unbash.ParameterExpansionPart,
  context: AdaptContext,
  isQuoted: boolean,
): ParameterPart {
  const { parameter: name, prefix, text } = part;
  const index = part.index && adaptWord(part.index, context);
  const operation = part.operation && adaptOperation(part.operation, context, isQuoted);
  return { kind: "parameter", name, prefix, index, operation, text };
}

function adaptOperation(
  operation: unbash.ParameterOperation,
  context: AdaptContext,
  isQuoted: boolean,
): ParameterOperation {
  switch (operation.type) {
    case "Default":
      return adaptDefault(operation, context, isQuoted);
    case "Remove":
      return {
        kind: "remove",
        operator: operation.operator,
        pattern: adaptWord(operation.operand, context),
      };
    case "Replace": {
      const pattern = adaptWord(operation.pattern, context);
      return {
        kind: "replace",
        operator: operation.operator,
        pattern,
        replacement: adaptWord(operation.replacement, context),
      };
    }
    case "Slice": {
      const length = operation.length && arithmeticText(operation.length.text, context);
      return { kind: "slice", offset: arithmeticText(operation.offset.text, context), length };
    }
    case "CaseModification":
      return {
        kind: "case",
        operator: operation.operator,
        pattern: operation.operand && adaptWord(operation.operand, context),
      };
    case "Transform":
      return { kind: "transform", operator: operation.operand.text };
    case "Names":
      return { kind: "names", operator: operation.operator };
    case "Unknown":
      return { kind: "bad" };
  }
}

/** Inside double quotes the operand of `:-` and its kin is double-quoted text itself. */
function adaptDefault(
  operation: unbash.ParameterDefaultOperation,
  context: AdaptContext,
  isQuoted: boolean,
): ParameterOperation {
  const { operand, operator: written } = operation;
  const isColon = written.startsWith(":");
  const operator = defaultOperators[written];
  if (!isQuoted)
    return { kind: "default", operator, isColon, operand: adaptWord(operand, context) };
  const parts: WordPart[] =
    operand.parts === undefined
      ? [{ kind: "literal", text: operand.value, isQuoted: true }]
      : adaptQuotedParts(operand.parts, context);
  return { kind: "default", operator, isColon, operand: makeWord(parts, operand.text) };
}

const defaultOperators = {
  "-": "-",
  ":-": "-",
  "=": "=",
  ":=": "=",
  "+": "+",
  ":+": "+",
  "?": "?",
  ":?": "?",
} as const;

/** What stands between `$((` and `))`, or `$[` and `]`. */
function arithmeticBody(text: string): string {
  return text.startsWith("$[") ? text.slice(2, -1) : text.slice(3, -2);
}

function unquoted(text: string): WordPart {
  return { kind: "literal", text, isQuoted: false };
}

/** Unquoted source text: a backslash quotes the next character and joins lines. */
export function splitEscapes(text: string): WordPart[] {
  if (!text.includes("\\")) return text === "" ? [] : [unquoted(text)];
  const parts: WordPart[] = [];
  let start = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", start)) {
    if (at > start) parts.push(unquoted(text.slice(start, at)));
    const code = text.codePointAt(at + 1);
    if (code === undefined) {
      parts.push({ kind: "literal", text: "\\", isQuoted: true });
      start = text.length;
      break;
    }
    const character = String.fromCodePoint(code);
    if (character !== "\n") parts.push({ kind: "literal", text: character, isQuoted: true });
    start = at + 1 + character.length;
  }
  if (start < text.length) parts.push(unquoted(text.slice(start)));
  return parts;
}

function mergeLiterals(parts: readonly WordPart[]): WordPart[] {
  const merged: WordPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.kind === "literal" && last?.kind === "literal" && last.isQuoted === part.isQuoted) {
      merged[merged.length - 1] = { ...last, text: last.text + part.text };
    } else {
      merged.push(part);
    }
  }
  return merged;
}

function containsBraces(parts: readonly unbash.WordPart[]): boolean {
  return parts.some((part) => part.type === "BraceExpansion");
}

function plainText(parts: readonly WordPart[], hasBraces: boolean): string | undefined {
  if (hasBraces) return undefined;
  if (parts.length === 0) return "";
  const [only] = parts;
  if (parts.length > 1 || only?.kind !== "literal" || only.isQuoted) return undefined;
  return /[*?[~\\(]/.test(only.text) ? undefined : only.text;
}
