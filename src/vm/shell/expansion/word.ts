/** Words to fields and texts: the one place where the kinds of expansion meet, in bash's order. */

import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { withSubscripts } from "../state/subscript.ts";
import { scriptOf } from "../state/syntax-report.ts";
import type { ArithmeticText, Word, WordPart } from "../syntax/ast.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import type { ReplacementText } from "./edit-value.ts";
import { expandFieldsNow, expandTextNow } from "./expand-now.ts";
import { type Field, FieldBuilder } from "./field-builder.ts";
import { expandGlob } from "./glob.ts";
import { expandParameter, type ParameterResult } from "./parameter.ts";
import { escapeRegExp } from "./pattern.ts";
import { captureOutput, startProcessSubstitution } from "./substitution.ts";
import { askHomes, expandTilde } from "./tilde.ts";

/** The words of a command: split and globbed. */
export async function expandWords(shell: Shell, words: readonly Word[]): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    if (word.literal !== undefined) fields.push(word.literal);
    else if (!expandFieldsNow(shell, word, fields)) await expandInto(shell, word, fields);
    else if (shell.notices.length > 0) await shell.sayNotices();
  }
  return fields;
}

/** One text, neither split nor globbed: a `case` word, a here-string. */
export async function expandText(shell: Shell, word: Word): Promise<string> {
  if (word.literal !== undefined) return word.literal;
  return (await expandOne(shell, word, {})).text;
}

/** The value of an assignment: a tilde counts after each colon, too. */
export async function expandAssigned(shell: Shell, word: Word): Promise<string> {
  if (word.literal !== undefined) return word.literal;
  return (await expandOne(shell, word, { isAssignment: true })).text;
}

/** A pattern in which what was quoted stands for itself. */
export async function expandPattern(shell: Shell, word: Word): Promise<string> {
  if (word.literal !== undefined) return word.literal;
  return (await expandOne(shell, word, {})).pattern;
}

/** What is put in a match's place: plain, and with quoted `&` and backslashes marked. */
async function expandReplacement(shell: Shell, word: Word): Promise<ReplacementText> {
  if (word.literal !== undefined) return { text: word.literal, marked: word.literal };
  const escape = (text: string): string => text.replace(/[\\&]/g, "\\$&");
  const field = await expandOne(shell, word, { escape });
  return { text: field.text, marked: field.pattern };
}

/** A regular expression in which what was quoted stands for itself. */
export async function expandRegExp(shell: Shell, word: Word): Promise<string> {
  return (await expandOne(shell, word, { escape: escapeRegExp })).pattern;
}

/** A here-document's parts, or any text with expansions and no quotes. */
export async function expandParts(shell: Shell, parts: readonly WordPart[]): Promise<string> {
  const expander = new Expander(shell, new FieldBuilder({ ifs: "" }), false);
  await expander.addQuoted(parts);
  return expander.builder.text;
}

/** Arithmetic text with its expansions made. */
export async function expandArithmeticText(shell: Shell, source: ArithmeticText): Promise<string> {
  const text =
    source.parts === undefined
      ? source.text
      : (await expandParts(shell, source.parts)).replaceAll('"', "");
  await askKernel(shell, text);
  return text;
}

export async function expandArithmetic(shell: Shell, source: ArithmeticText): Promise<bigint> {
  const text = await expandArithmeticText(shell, source);
  return evaluateText(shell, text);
}

/** Evaluates text whose expansions are made, subscripts in variables' values excepted. */
export async function evaluateText(shell: Shell, text: string): Promise<bigint> {
  return withSubscripts(shell, () => evaluateArithmetic(shell, text));
}

async function expandInto(shell: Shell, word: Word, into: string[]): Promise<void> {
  const isBraced = word.hasBraces && shell.options.has("braceexpand");
  const alternatives = isBraced ? expandBraces(word.parts) : [word.parts];
  for (const parts of alternatives) {
    const expander = new Expander(
      shell,
      new FieldBuilder({ ifs: shell.variables.get("IFS") ?? " \t\n" }),
      true,
    );
    await expander.addWord(parts, false);
    if (shell.notices.length > 0) await shell.sayNotices();
    for (const field of expander.builder.finish()) await globInto(shell, field, into);
  }
}

async function globInto(shell: Shell, field: Field, into: string[]): Promise<void> {
  if (field.pattern === undefined || shell.options.has("noglob")) {
    into.push(field.text);
    return;
  }
  const found = await expandGlob(shell, field.pattern);
  if (found.length > 0) into.push(...found);
  else if (shell.options.has("failglob")) throw new ShellError(`no match: ${field.text}`);
  else if (!shell.options.has("nullglob")) into.push(field.text);
}

interface OneOptions {
  readonly isAssignment?: boolean;
  readonly escape?: (text: string) => string;
}

async function expandOne(shell: Shell, word: Word, options: OneOptions): Promise<FieldBuilder> {
  const { escape } = options;
  const now = escape === undefined ? expandTextNow(shell, word) : undefined;
  if (now !== undefined && shell.notices.length === 0) return now;
  const builder = new FieldBuilder(escape === undefined ? { ifs: "" } : { ifs: "", escape });
  const expander = new Expander(shell, builder, false);
  await expander.addWord(word.parts, options.isAssignment === true);
  if (shell.notices.length > 0) await shell.sayNotices();
  return builder;
}

class Expander {
  readonly builder: FieldBuilder;
  readonly #shell: Shell;
  readonly #isSplitting: boolean;
  /** The word is an assignment's value: tildes count after colons. */
  #isAssignment = false;

  constructor(shell: Shell, builder: FieldBuilder, isSplitting: boolean) {
    this.#shell = shell;
    this.builder = builder;
    this.#isSplitting = isSplitting;
  }

  /** A word as written: its first tilde counts. */
  async addWord(parts: readonly WordPart[], isAssignment: boolean): Promise<void> {
    this.#isAssignment = isAssignment;
    const [first] = parts;
    const hasTilde = first?.kind === "literal" && !first.isQuoted && first.text.includes("~");
    if (!hasTilde && !isAssignment) return this.#addParts(parts, false);
    for (const part of parts) if (part.kind === "literal") await askHomes(this.#shell, part.text);
    const expanded = parts.flatMap((part, at) => {
      if (part.kind !== "literal" || part.isQuoted || (at > 0 && !isAssignment)) return [part];
      const options = { isStart: at === 0, isEnd: at === parts.length - 1, isAssignment };
      return expandTilde(this.#shell, part.text, options);
    });
    return this.#addParts(expanded, false);
  }

  /** Double-quoted parts. Answers whether an empty `"$@"` was among them, which makes no field. */
  async addQuoted(parts: readonly WordPart[]): Promise<boolean> {
    let isAbsent = false;
    for (const part of parts) {
      if (part.kind === "literal") this.builder.addQuoted(part.text);
      else if (await this.#addPart(part, true)) isAbsent = true;
    }
    return isAbsent;
  }

  /** `fromExpansion`: unquoted text comes out of `${x:-text}` and is split as a value is. */
  async #addParts(parts: readonly WordPart[], fromExpansion: boolean): Promise<void> {
    for (const part of parts) {
      if (part.kind !== "literal") await this.#addPart(part, false);
      else if (part.isQuoted) this.builder.addQuoted(part.text);
      else if (fromExpansion) this.builder.addSplit(part.text);
      else this.builder.addLiteral(part.text);
    }
  }

  async #addPart(part: WordPart, isQuoted: boolean): Promise<boolean> {
    const shell = this.#shell;
    switch (part.kind) {
      case "literal":
        this.builder.addQuoted(part.text);
        return false;
      case "quoted":
        if (!(await this.addQuoted(part.parts)) || part.parts.length > 1)
          this.builder.addQuoted("");
        return false;
      case "parameter":
        return this.#addParameter(part, isQuoted);
      case "command":
        this.#addValue(await captureOutput(shell, scriptOf(shell, part), expandText), isQuoted);
        return false;
      case "arithmetic":
        this.#addValue((await expandArithmetic(shell, part.expression)).toString(), isQuoted);
        return false;
      case "process":
        this.builder.addQuoted(await startProcessSubstitution(shell, part));
        return false;
    }
  }

  async #addParameter(
    part: Extract<WordPart, { kind: "parameter" }>,
    isQuoted: boolean,
  ): Promise<boolean> {
    const result = await expandParameter(this.#shell, part, isQuoted ? quotedTools : tools);
    switch (result.kind) {
      case "text":
        this.#addValue(result.text, isQuoted);
        return false;
      case "operand":
        if (isQuoted) return this.addQuoted(result.word.parts);
        await this.addOperand(result.word);
        return false;
      case "list":
        return this.#addList(result, isQuoted);
    }
  }

  /** The word of `${x:-word}`, unquoted. */
  async addOperand(word: Word): Promise<void> {
    const [first, ...rest] = word.parts;
    if (first?.kind !== "literal" || first.isQuoted || !first.text.startsWith("~")) {
      return this.#addParts(word.parts, true);
    }
    await askHomes(this.#shell, first.text);
    const options = {
      isStart: true,
      isEnd: rest.length === 0,
      isAssignment: this.#isAssignment,
    };
    return this.#addParts([...expandTilde(this.#shell, first.text, options), ...rest], true);
  }

  #addValue(text: string, isQuoted: boolean): void {
    if (isQuoted) this.builder.addQuoted(text);
    else this.builder.addSplit(text);
  }

  #addList(list: ListResult, isQuoted: boolean): boolean {
    const { values, isStar } = list;
    const ifs = this.#shell.variables.get("IFS") ?? " ";
    const [separator = ""] = ifs.slice(0, 2);
    if ((isStar && isQuoted) || !this.#isSplitting) {
      this.#addValue(values.join(isStar ? separator : " "), isQuoted);
      return false;
    }
    if (!isQuoted && ifs !== "") {
      this.#addValue(values.join(separator), false);
      return values.length === 0;
    }
    if (!isQuoted && isStar && (list.isNames === true || list.isKeys === true)) {
      this.#addValue(values.join(list.isKeys === true ? " " : ""), false);
      return false;
    }
    for (const [at, value] of values.entries()) {
      if (at > 0) this.builder.breakField();
      this.#addValue(value, isQuoted);
    }
    return values.length === 0;
  }
}

type ListResult = Extract<ParameterResult, { kind: "list" }>;

/** What parameter expansion needs of word expansion for its operands. */
const tools = { isQuoted: false, expandText, expandPattern, expandReplacement, expandArithmetic };
const quotedTools = { ...tools, isQuoted: true };
