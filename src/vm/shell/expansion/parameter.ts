/** `$name`, `${name…}`: what a parameter's value is, and what its operators make of it. */

import { assignElement, assignScalar } from "../state/assign.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, isName } from "../state/variables.ts";
import type { ArithmeticText, ParameterOperation, ParameterPart, Word } from "../syntax/ast.ts";
import { countCharacters, sliceCharacters } from "./characters.ts";
import { changeCase, removeMatch, replaceMatch } from "./edit-value.ts";
import { findArray, findSubject, type Subject } from "./find-parameter.ts";
import { transformValue } from "./transform.ts";

export type ParameterResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly values: readonly string[]; readonly isStar: boolean }
  /** The word of `${x:-word}`, to be expanded in the value's place. */
  | { readonly kind: "operand"; readonly word: Word };

export interface WordTools {
  expandText(shell: Shell, word: Word): Promise<string>;
  expandPattern(shell: Shell, word: Word): Promise<string>;
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
  if (part.name === "" || operation?.kind === "bad")
    throw new ShellError(`${part.text}: bad substitution`);
  if (operation?.kind === "names") return listNames(shell, part.name, operation.operator === "*");
  const index = part.index && (await indexText(shell, part.name, part.index, tools));
  const isAll = index === "@" || index === "*";
  if (part.prefix === "!" && isAll) return listKeys(shell, part.name, index);
  if (part.prefix === "#") return measure(shell, await findSubject(shell, part.name, index), part);
  const target =
    part.prefix === "!" ? await followName(shell, part, index) : { name: part.name, index };
  const subject = await findSubject(shell, target.name, target.index);
  if (operation === undefined) return plainResult(shell, { ...part, name: target.name }, subject);
  return new Operation(shell, tools, { ...target, part }).apply(operation, subject);
}

function plainResult(shell: Shell, part: ParameterPart, subject: Subject): ParameterResult {
  if (subject.kind === "list")
    return { kind: "list", values: subject.values, isStar: subject.isStar };
  if (subject.text === undefined && shell.options.has("nounset")) throw unbound(shell, part);
  return { kind: "text", text: subject.text ?? "" };
}

function unbound(shell: Shell, part: ParameterPart): ShellError {
  const shown = part.index === undefined ? part.name : part.text.replace(/^\$\{?|\}$/g, "");
  return new ShellError(
    `${shown}: unbound variable`,
    "shell",
    shell.startLetters.includes("c") ? 127 : 1,
  );
}

async function indexText(
  shell: Shell,
  name: string,
  index: Word,
  tools: WordTools,
): Promise<string> {
  if (index.text === "@" || index.text === "*") return index.text;
  const isKey = shell.variables.find(name)?.value instanceof AssociativeArray;
  const text = await tools.expandText(shell, index);
  if (!isKey) await askKernel(shell, text);
  return text;
}

function listNames(shell: Shell, prefix: string, isStar: boolean): ParameterResult {
  const values = shell.variables.names().filter((name) => name.startsWith(prefix));
  return { kind: "list", values, isStar };
}

function listKeys(shell: Shell, name: string, index: "@" | "*"): ParameterResult {
  const array = findArray(shell, name, index === "*");
  return { kind: "list", values: array.kind === "list" ? array.keys : [], isStar: index === "*" };
}

function measure(shell: Shell, subject: Subject, part: ParameterPart): ParameterResult {
  if (subject.kind === "list") return { kind: "text", text: String(subject.values.length) };
  if (subject.text === undefined && shell.options.has("nounset")) throw unbound(shell, part);
  return { kind: "text", text: String(countCharacters(subject.text ?? "")) };
}

interface Target {
  readonly name: string;
  readonly index: string | undefined;
}

/** `${!name}`: the parameter that the value names. */
async function followName(
  shell: Shell,
  part: ParameterPart,
  index: string | undefined,
): Promise<Target> {
  const reference = shell.variables.findUnresolved(part.name);
  if (reference?.isReference === true) return { name: "", index: undefined };
  const subject = await findSubject(shell, part.name, index);
  const text = subject.kind === "text" ? subject.text : subject.values.join(" ");
  if (text === undefined) throw new ShellError(`${part.name}: invalid indirect expansion`);
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(text);
  if (element !== null) return { name: element[1] ?? "", index: element[2] };
  if (!isName(text) && !/^(?:\d+|[@*#?$!-])$/.test(text))
    throw new ShellError(`${text}: invalid variable name`);
  return { name: text, index: undefined };
}

class Operation {
  readonly #shell: Shell;
  readonly #tools: WordTools;
  readonly #target: Target & { readonly part: ParameterPart };

  constructor(shell: Shell, tools: WordTools, target: Target & { readonly part: ParameterPart }) {
    this.#shell = shell;
    this.#tools = tools;
    this.#target = target;
  }

  async apply(operation: ParameterOperation, subject: Subject): Promise<ParameterResult> {
    if (operation.kind === "default") return this.#default(operation, subject);
    if (operation.kind === "slice") return this.#slice(operation, subject);
    if (operation.kind === "transform") {
      return transformValue(this.#shell, {
        ...this.#target,
        operator: operation.operator,
        subject,
      });
    }
    const edit = await this.#editor(operation);
    if (subject.kind === "list")
      return { kind: "list", values: subject.values.map(edit), isStar: subject.isStar };
    if (subject.text === undefined && this.#shell.options.has("nounset"))
      throw unbound(this.#shell, this.#target.part);
    return { kind: "text", text: edit(subject.text ?? "") };
  }

  async #default(
    operation: Extract<ParameterOperation, { kind: "default" }>,
    subject: Subject,
  ): Promise<ParameterResult> {
    const { operator, isColon, operand } = operation;
    const isList = subject.kind === "list";
    const isUnset = isList ? subject.values.length === 0 : subject.text === undefined;
    const isEmpty = isList ? subject.values.join(" ") === "" : subject.text === "";
    const isMissing = isUnset || (isColon && isEmpty);
    if (operator === "+")
      return isMissing ? { kind: "text", text: "" } : { kind: "operand", word: operand };
    if (!isMissing) return isList ? subject : { kind: "text", text: subject.text ?? "" };
    if (operator === "-") return { kind: "operand", word: operand };
    const text = await this.#tools.expandText(this.#shell, operand);
    if (operator === "?") throw this.#missing(text, isUnset);
    this.#assign(text);
    return { kind: "text", text };
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
    return new ShellError(
      `${shown}: ${words}`,
      "shell",
      this.#shell.startLetters.includes("c") ? 127 : 1,
    );
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
    const offset = Number(await this.#tools.expandArithmetic(shell, operation.offset));
    const length =
      operation.length && Number(await this.#tools.expandArithmetic(shell, operation.length));
    if (subject.kind === "text") {
      if (subject.text === undefined && shell.options.has("nounset"))
        throw unbound(shell, this.#target.part);
      const text = subject.text ?? "";
      const [from, to] = sliceBounds(countCharacters(text), offset, length);
      return { kind: "text", text: sliceCharacters(text, from, to) };
    }
    if (length !== undefined && length < 0)
      throw new ShellError(`${length}: substring expression < 0`);
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
  ): Promise<(value: string) => string> {
    const shell = this.#shell;
    switch (operation.kind) {
      case "remove": {
        const pattern = await this.#tools.expandPattern(shell, operation.pattern);
        return (value) => removeMatch(shell, value, operation.operator, pattern);
      }
      case "replace": {
        const pattern = await this.#tools.expandPattern(shell, operation.pattern);
        const replacement = await this.#tools.expandPattern(shell, operation.replacement);
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

function sliceBounds(size: number, offset: number, length: number | undefined): [number, number] {
  const from = offset < 0 ? size + offset : offset;
  if (from < 0) return [size, size];
  if (length === undefined) return [from, size];
  if (length >= 0) return [from, from + length];
  const to = size + length;
  if (to < from) throw new ShellError(`${length}: substring expression < 0`);
  return [from, to];
}
