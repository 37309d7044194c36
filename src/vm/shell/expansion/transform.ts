/** `${x@Q}` and its kin. */

import { decodeEscapes } from "../../programs/escapes.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, IndexedArray, type Variable } from "../state/variables.ts";
import { quoteDouble, quoteText } from "./quote-text.ts";

export interface Transformation {
  readonly name: string;
  readonly operator: string;
  readonly subject:
    | { readonly kind: "text"; readonly text: string | undefined }
    | {
        readonly kind: "list";
        readonly values: readonly string[];
        readonly keys: readonly string[];
        readonly isStar: boolean;
      };
}

type Result =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly values: readonly string[]; readonly isStar: boolean };

export function transformValue(shell: Shell, transformation: Transformation): Result {
  const { name, operator, subject } = transformation;
  const variable = shell.variables.find(name);
  if (operator === "A" && variable !== undefined)
    return { kind: "text", text: declaration(name, variable) };
  if (operator === "a")
    return { kind: "text", text: variable === undefined ? "" : attributes(variable) };
  if (subject.kind === "text") {
    return {
      kind: "text",
      text: subject.text === undefined ? "" : transformText(operator, subject.text),
    };
  }
  if (operator === "K" || operator === "k") return listPairs(operator, subject);
  return {
    kind: "list",
    values: subject.values.map((value) => transformText(operator, value)),
    isStar: subject.isStar,
  };
}

function listPairs(
  operator: "K" | "k",
  subject: Extract<Transformation["subject"], { kind: "list" }>,
): Result {
  const pairs = subject.values.flatMap((value, at) => [subject.keys[at] ?? "", value]);
  if (operator === "k") return { kind: "list", values: pairs, isStar: subject.isStar };
  return {
    kind: "text",
    text: pairs.map((text, at) => (at % 2 === 0 ? text : quoteDouble(text))).join(" "),
  };
}

function transformText(operator: string, text: string): string {
  switch (operator) {
    case "Q":
    case "K":
    case "k":
      return quoteText(text);
    case "U":
      return text.toUpperCase();
    case "L":
      return text.toLowerCase();
    case "u": {
      const [first = ""] = text.slice(0, 2);
      return first.toUpperCase() + text.slice(first.length);
    }
    case "E":
      return decodeEscapes(text, "ansi").text;
    case "P":
      return text;
    default:
      throw new ShellError(`\${@${operator}}: bad substitution`);
  }
}

/** The letters of `declare`. */
export function attributes({
  value,
  isInteger,
  isReference,
  isReadonly,
  isExported,
  fold,
}: Variable): string {
  const kind = value instanceof IndexedArray ? "a" : value instanceof AssociativeArray ? "A" : "";
  const folded = fold === "none" ? "" : fold === "lower" ? "l" : "u";
  return `${kind}${isInteger ? "i" : ""}${isReference ? "n" : ""}${isReadonly ? "r" : ""}${isExported ? "x" : ""}${folded}`;
}

/** The command that makes the variable again, as `declare -p` shows it. */
export function declaration(name: string, variable: Variable): string {
  const flags = attributes(variable);
  const head = `declare -${flags === "" ? "-" : flags} ${name}`;
  const { value } = variable;
  if (value === undefined) return head;
  if (typeof value === "string") return `${head}=${quoteDouble(value)}`;
  const elements = value.keys.map((key) => {
    const element =
      value instanceof IndexedArray
        ? value.elements.get(Number(key))
        : value.elements.get(String(key));
    return `[${value instanceof IndexedArray ? key : quoteKey(String(key))}]=${quoteDouble(element ?? "")}`;
  });
  return `${head}=(${elements.join(" ")}${value instanceof AssociativeArray && elements.length > 0 ? " " : ""})`;
}

function quoteKey(key: string): string {
  return /^[\w]+$/.test(key) ? key : quoteDouble(key);
}
