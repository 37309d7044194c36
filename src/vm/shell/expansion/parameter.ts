/** `$name`, `${name…}`: what a parameter's value is, and what its operators make of it. */

import { assignElement, assignScalar, isKeyed } from "../state/assign.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { isName } from "../state/variables.ts";
import type { ArithmeticText, ParameterOperation, ParameterPart, Word } from "../syntax/ast.ts";
import { countCharacters, sliceCharacters } from "./characters.ts";
import { changeCase, type ReplacementText, removeMatch, replaceMatch } from "./edit-value.ts";
import { findArray, findSubject, type Subject } from "./find-parameter.ts";
import { followName, type ParameterTarget } from "./follow-name.ts";
import { sliceBounds, sliceKeyed } from "./slice.ts";
import { transformValue } from "./transform.ts";

export type ParameterResult =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "list";
      readonly values: readonly string[];
      readonly isStar: boolean;
      /** Names of variables: unquoted with an empty IFS they are one word. */
      readonly isNames?: boolean;
      /** Keys of an array: unquoted with an empty IFS they are one word, with spaces. */
      readonly isKeys?: boolean;
    }
  /** The word of `${x:-word}`, to be expanded in the value's place. */
  | { readonly kind: "operand"; readonly word: Word };

export interface WordTools {
  /** The expansion stands in double quotes. */
  readonly isQuoted: boolean;
  expandText(shell: Shell, word: Word): Promise<string>;
  expandPattern(shell: Shell, word: Word): Promise<string>;
  expandReplacement(shell: Shell, word: Word): Promise<ReplacementText>;
  expandArithmetic(shell: Shell, source: ArithmeticText): Promise<bigint>;
}

export async function expandParameter(
  shell: Shell,
  part: ParameterPart,
  tools: WordTools,
): Promise<ParameterResult> {
  const { operation } = part;
  if (operation === undefined && part.prefix === undefined && part.index === undefined) {
    return plainResult(shell, part, await findSubject(shell, part.name, undefined));
  }
  if (isBad(part)) throw new ShellError(`${part.text}: bad substitution`);
  if (operation?.kind === "names") return listNames(shell, part.name, operation.operator === "*");
  const index = part.index && (await indexText(shell, part.name, part.index, tools));
  const isAll = index === "@" || index === "*";
  if (part.prefix === "!" && isAll && operation === undefined)
    return listKeys(shell, part.name, index);
  if (part.prefix === "#") return measure(shell, await findSubject(shell, part.name, index), part);
  const target =
    part.prefix === "!" ? await followName(shell, part, index) : { name: part.name, index };
  if ("text" in target) return resultOf({ kind: "text", text: target.text });
  const subject = await findSubject(shell, target.name, target.index);
  if (operation === undefined) return plainResult(shell, { ...part, name: target.name }, subject);
  return new Operation(shell, tools, { ...target, part }).apply(operation, subject);
}

function isBad({ name, index, operation }: ParameterPart): boolean {
  return name === "" || operation?.kind === "bad" || index?.text === "";
}

function plainResult(shell: Shell, part: ParameterPart, subject: Subject): ParameterResult {
  if (subject.kind === "text" && subject.text === undefined && shell.options.has("nounset"))
    throw unbound(shell, part);
  return resultOf(subject);
}

function resultOf(subject: Subject): ParameterResult {
  if (subject.kind === "list")
    return { kind: "list", values: subject.values, isStar: subject.isStar };
  return { kind: "text", text: subject.text ?? "" };
}

function unbound(shell: Shell, part: ParameterPart): ShellError {
  const { name, index, text } = part;
  const shown = index === undefined ? name : `${name}[${index.text}]`;
  const isBare = !text.startsWith("${") && !isName(name);
  return new ShellError(
    `${isBare ? "$" : ""}${shown}: unbound variable`,
    "shell",
    shell.fatalStatus,
  );
}

async function indexText(
  shell: Shell,
  name: string,
  index: Word,
  tools: WordTools,
): Promise<string> {
  if (index.text === "@" || index.text === "*") return index.text;
  if (isKeyed(shell, name)) return tools.expandText(shell, index);
  const text = index.text.includes("'")
    ? await shell.interpreter.expandSubscript(shell, index.text, "index")
    : await tools.expandText(shell, index);
  await askKernel(shell, text);
  return text;
}

function listNames(shell: Shell, prefix: string, isStar: boolean): ParameterResult {
  const { variables } = shell;
  const values = variables.names().filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const variable = variables.findUnresolved(name);
    return variable?.dynamic !== undefined || variable?.value !== undefined;
  });
  return { kind: "list", values, isStar, isNames: true };
}

function listKeys(shell: Shell, name: string, index: "@" | "*"): ParameterResult {
  const array = findArray(shell, name, index === "*");
  const values = array.kind === "list" ? array.keys : [];
  return { kind: "list", values, isStar: index === "*", isKeys: true };
}

function measure(shell: Shell, subject: Subject, part: ParameterPart): ParameterResult {
  if (subject.kind === "list") {
    const isAbsent = isName(part.name) && shell.variables.find(part.name)?.value === undefined;
    if (isAbsent && subject.values.length === 0 && shell.options.has("nounset"))
      throw new ShellError(`${part.name}: unbound variable`, "shell");
    return { kind: "text", text: String(subject.values.length) };
  }
  if (subject.text === undefined && shell.options.has("nounset")) throw unbound(shell, part);
  return { kind: "text", text: String(countCharacters(shell, subject.text ?? "")) };
}

class Operation {
  readonly #shell: Shell;
  readonly #tools: WordTools;
  readonly #target: ParameterTarget & { readonly part: ParameterPart };

  constructor(
    shell: Shell,
    tools: WordTools,
    target: ParameterTarget & { readonly part: ParameterPart },
  ) {
    this.#shell = shell;
    this.#tools = tools;
    this.#target = target;
  }

  async apply(operation: ParameterOperation, subject: Subject): Promise<ParameterResult> {
    if (operation.kind === "default") return this.#default(operation, subject);
    if (operation.kind === "slice") return this.#slice(operation, subject);
    if (operation.kind === "transform") {
      const { name, index, part } = this.#target;
      if (
        subject.kind === "text" &&
        subject.text === undefined &&
        this.#shell.options.has("nounset")
      )
        throw unbound(this.#shell, part);
      return transformValue(this.#shell, { name, index, operator: operation.operator, subject });
    }
    const edit = await this.#editor(operation);
    if (subject.kind === "list") {
      const values: string[] = [];
      for (const value of subject.values) values.push(await edit(value));
      return { kind: "list", values, isStar: subject.isStar };
    }
    if (subject.text === undefined && this.#shell.options.has("nounset"))
      throw unbound(this.#shell, this.#target.part);
    return { kind: "text", text: subject.text === undefined ? "" : await edit(subject.text) };
  }

  async #default(
    operation: Extract<ParameterOperation, { kind: "default" }>,
    subject: Subject,
  ): Promise<ParameterResult> {
    const { operator, isColon, operand } = operation;
    const isList = subject.kind === "list";
    const isUnset = isList ? subject.values.length === 0 : subject.text === undefined;
    const isEmpty = isList ? this.#isEmpty(subject) : subject.text === "";
    const isMissing = isUnset || (isColon && isEmpty);
    if (operator === "+") {
      if (!isMissing) return { kind: "operand", word: operand };
      if (!isList || subject.isStar) return { kind: "text", text: "" };
      return { kind: "list", values: [], isStar: false };
    }
    if (!isMissing) return isList ? subject : { kind: "text", text: subject.text ?? "" };
    if (operator === "-") return { kind: "operand", word: operand };
    const text = await this.#tools.expandText(this.#shell, operand);
    if (operator === "?") throw this.#missing(text, isUnset);
    this.#assign(text);
    return { kind: "text", text };
  }

  /** As one word: joined as `*` or `@` joins; through `${!name}` a list is never empty. */
  #isEmpty(subject: Extract<Subject, { kind: "list" }>): boolean {
    if (this.#target.part.prefix === "!") return false;
    const ifs = this.#shell.variables.get("IFS") ?? " ";
    const isStar = subject.isStar && this.#tools.isQuoted;
    return subject.values.join(isStar ? ifs.slice(0, 1) : " ") === "";
  }

  #missing(text: string, isUnset: boolean): ShellError {
    const shown =
      this.#target.part.index === undefined
        ? this.#target.name
        : `${this.#target.name}[${this.#target.index}]`;
    const message =
      text === "" ? (isUnset ? "parameter not set" : "parameter null or not set") : text;
    const words =
      text === "" && this.#target.part.text.includes(":?") ? "parameter null or not set" : message;
    return new ShellError(`${shown}: ${words}`, "shell", this.#shell.fatalStatus);
  }

  #assign(value: string): void {
    const { name, index } = this.#target;
    if (index !== undefined) assignElement(this.#shell, { name, index, value, isAppend: false });
    else if (isName(name)) assignScalar(this.#shell, name, value);
    else throw new ShellError(`$${name}: cannot assign in this way`);
  }

  async #slice(
    operation: Extract<ParameterOperation, { kind: "slice" }>,
    subject: Subject,
  ): Promise<ParameterResult> {
    const shell = this.#shell;
    if (subject.kind === "text" && subject.text === undefined && !shell.options.has("nounset"))
      return { kind: "text", text: "" };
    const offset = Number(await this.#tools.expandArithmetic(shell, operation.offset));
    const length =
      operation.length && Number(await this.#tools.expandArithmetic(shell, operation.length));
    if (subject.kind === "text") {
      if (subject.text === undefined && shell.options.has("nounset"))
        throw unbound(shell, this.#target.part);
      const text = subject.text ?? "";
      const [from, to] = sliceBounds(countCharacters(shell, text), offset, length);
      return { kind: "text", text: sliceCharacters(shell, text, from, to) };
    }
    if (length !== undefined && length < 0)
      throw new ShellError(`${length}: substring expression < 0`);
    if (isKeyed(shell, this.#target.name)) return sliceKeyed(subject, offset, length);
    const isPositional = "@*".includes(this.#target.name);
    const values = isPositional ? [shell.name, ...subject.values] : subject.values;
    const positions = isPositional ? values.map((_, at) => at) : subject.keys.map(Number);
    const end = (positions.at(-1) ?? -1) + 1;
    const start = offset < 0 ? end + offset : offset;
    const first = start < 0 ? values.length : positions.findIndex((position) => position >= start);
    const from = first === -1 ? values.length : first;
    return {
      kind: "list",
      values: values.slice(from, length === undefined ? undefined : from + length),
      isStar: subject.isStar,
    };
  }

  async #editor(
    operation: Exclude<ParameterOperation, { kind: "default" | "slice" | "transform" }>,
  ): Promise<(value: string) => string | Promise<string>> {
    const shell = this.#shell;
    switch (operation.kind) {
      case "remove": {
        const pattern = await this.#tools.expandPattern(shell, operation.pattern);
        return (value) => removeMatch(shell, value, operation.operator, pattern);
      }
      case "replace": {
        const pattern = await this.#tools.expandPattern(shell, operation.pattern);
        const replacement = await this.#tools.expandReplacement(shell, operation.replacement);
        return (value) =>
          replaceMatch(shell, value, { operator: operation.operator, pattern, replacement });
      }
      case "case": {
        const pattern =
          operation.pattern && (await this.#tools.expandPattern(shell, operation.pattern));
        return (value) => changeCase(shell, value, operation.operator, pattern);
      }
      case "names":
      case "bad":
        throw new ShellError(`${this.#target.part.text}: bad substitution`);
    }
  }
}
