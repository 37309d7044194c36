/** `${x@Q}` and its kin. */

import { decodeEscapes } from "../../programs/escapes.ts";
import { isKeyed } from "../state/assign.ts";
import { dynamicKind } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import {
  AssociativeArray,
  IndexedArray,
  type Variable,
  type VariableValue,
} from "../state/variables.ts";
import { isByteLocale, toLower, toUpper } from "./characters.ts";
import { hasControl, hasMeaning, quoteDouble, quoteText, quoteTextIn } from "./quote-text.ts";

interface List {
  readonly kind: "list";
  readonly values: readonly string[];
  readonly keys: readonly string[];
  readonly isStar: boolean;
}

export interface Transformation {
  readonly name: string;
  readonly index: string | undefined;
  readonly operator: string;
  readonly subject: { readonly kind: "text"; readonly text: string | undefined } | List;
}

type Result =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly values: readonly string[]; readonly isStar: boolean };

export async function transformValue(shell: Shell, wish: Transformation): Promise<Result> {
  const { operator, subject } = wish;
  if (!/^[QEPAKakULu]$/.test(operator)) return textResult("");
  if (operator === "A") return textResult(assignmentText(shell, wish));
  if (operator === "a") return attributeResult(shell, wish);
  if (subject.kind === "text") {
    if (subject.text === undefined) return textResult("");
    return textResult(await transformText(shell, operator, subject.text));
  }
  const isPairs = (operator === "K" || operator === "k") && !"@*".includes(wish.name);
  if (isPairs) return listPairs(operator, subject, isKeyed(shell, wish.name));
  const values: string[] = [];
  for (const value of subject.values) values.push(await transformText(shell, operator, value));
  return { kind: "list", values, isStar: subject.isStar };
}

function textResult(text: string): Result {
  return { kind: "text", text };
}

/** `${x@A}`: the command that makes the variable, or the positional parameters, again. */
function assignmentText(shell: Shell, { name, subject }: Transformation): string {
  if (name === "@" || name === "*") {
    const words = subject.kind === "list" ? subject.values.map(quoteText) : [];
    return words.length === 0 ? "" : `set -- ${words.join(" ")}`;
  }
  const variable = shell.variables.find(name);
  if (variable === undefined) return "";
  const resolved = shell.variables.resolve(name);
  const value = shell.variables.valueOf(variable);
  if (subject.kind === "list" && typeof value === "object")
    return declaration(resolved, variable, value);
  const flags = attributes(variable);
  const head = flags === "" ? resolved : `declare -${flags} ${resolved}`;
  const text = subject.kind === "list" ? subject.values[0] : subject.text;
  if (text === undefined) return flags === "" ? "" : head;
  return `${head}=${quoteText(text)}`;
}

function attributeResult(shell: Shell, { name, subject }: Transformation): Result {
  const variable = shell.variables.find(name);
  const flags = variable === undefined ? "" : attributes(variable);
  if (subject.kind === "text") return textResult(flags);
  return { kind: "list", values: subject.values.map(() => flags), isStar: subject.isStar };
}

function listPairs(operator: string, subject: List, isAssociative: boolean): Result {
  const pairs = subject.values.flatMap((value, at) => [subject.keys[at] ?? "", value]);
  if (operator === "k") return { kind: "list", values: pairs, isStar: subject.isStar };
  const words = pairs.map((text, at) => (at % 2 === 0 ? quoteKey(text) : quoteDouble(text)));
  return textResult(words.join(" ") + (isAssociative && words.length > 0 ? " " : ""));
}

async function transformText(shell: Shell, operator: string, text: string): Promise<string> {
  switch (operator) {
    case "Q":
    case "K":
    case "k":
      return quoteTextIn(text, isByteLocale(shell));
    case "U":
      return toUpper(shell, text);
    case "L":
      return toLower(shell, text);
    case "u": {
      const [first = ""] = text.slice(0, 2);
      return toUpper(shell, first) + text.slice(first.length);
    }
    case "E":
      return decodeEscapes(text, "ansi").text;
    case "P":
      return shell.interpreter.expandPrompt(shell, text);
    default:
      throw new ShellError(`\${@${operator}}: bad substitution`);
  }
}

const foldLetters = { none: "", lower: "l", upper: "u", capital: "c" } as const;

/** The letters of `declare`. */
export function attributes(variable: Variable): string {
  const { value } = variable;
  const kind =
    value instanceof IndexedArray
      ? "a"
      : value instanceof AssociativeArray
        ? "A"
        : dynamicKind(variable);
  return [
    kind,
    variable.isInteger ? "i" : "",
    variable.isReference ? "n" : "",
    variable.isReadonly ? "r" : "",
    variable.isTraced ? "t" : "",
    variable.isExported ? "x" : "",
    foldLetters[variable.fold],
  ].join("");
}

/** The command that makes the variable again, as `declare -p` shows it. */
export function declaration(name: string, variable: Variable, value: VariableValue): string {
  const flags = attributes(variable);
  const head = `declare -${flags === "" ? "-" : flags} ${name}`;
  if (value === undefined || (typeof value === "object" && !value.isAssigned)) return head;
  return `${head}=${valueText(value)}`;
}

/** A value as `declare -p` shows it. */
export function valueText(value: string | IndexedArray | AssociativeArray): string {
  if (typeof value === "string") return quoteDouble(value);
  if (value instanceof IndexedArray) {
    const elements = value.keys.map((key) => `[${key}]=${quoteDouble(value.get(key) ?? "")}`);
    return `(${elements.join(" ")})`;
  }
  const elements = value.keys.map(
    (key) => `[${quoteKey(key)}]=${quoteDouble(value.get(key) ?? "")} `,
  );
  return `(${elements.join("")})`;
}

/** A key stands bare where it means nothing to the shell. */
function quoteKey(key: string): string {
  return key === "@" || key === "" || hasControl(key) || hasMeaning(key) ? quoteDouble(key) : key;
}
