// Which operations become tools, and what they are called.
import {
  NAME_LIMIT_CHARACTERS,
  toJavaScriptName,
  toKebabCase,
} from "../../../toolkit-cli/index.ts";
import type { OpenapiOptions, OperationChoice } from "./openapi-options.ts";
import type { Operation } from "./operation.ts";

export interface NamedOperation {
  readonly name: string;
  readonly operation: Operation;
}

type Choosing = Pick<OpenapiOptions, "include" | "exclude" | "deprecated">;

/** The chosen operations with distinct names, which depend on the whole document and not on the choice. */
export function chooseOperations(
  operations: readonly Operation[],
  { include, exclude, deprecated = false }: Choosing,
): NamedOperation[] {
  return nameOperations(operations).filter(
    (named) =>
      (deprecated || !named.operation.isDeprecated) &&
      (include === undefined || matches(named, include, "every")) &&
      (exclude === undefined || !matches(named, exclude, "some")),
  );
}

/** Whether a pattern with `*` stands for a name, in any case. */
export function matchesPattern(pattern: string, name: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const text = name.toLowerCase();
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

function nameOperations(operations: readonly Operation[]): NamedOperation[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return operations.map((operation) => {
    const wanted = nameOf(operation);
    let count = counts.get(wanted) ?? 1;
    let name = count === 1 ? wanted : `${wanted}-${count}`;
    for (; taken.has(toJavaScriptName(name)); name = `${wanted}-${count}`) count += 1;
    counts.set(wanted, count);
    taken.add(toJavaScriptName(name));
    return { name, operation };
  });
}

/** Room for a number after it. */
const WANTED_LENGTH = NAME_LIMIT_CHARACTERS - 6;

function nameOf({ id = "", method, path }: Operation): string {
  const own = toKebabCase(id);
  const name = own === "" ? toKebabCase(`${method.toLowerCase()} ${path}`) : own;
  return name.slice(0, WANTED_LENGTH).replace(/[-\uD800-\uDBFF]+$/, "");
}

function matches(
  { name, operation }: NamedOperation,
  { tags, operations, methods }: OperationChoice,
  how: "every" | "some",
): boolean {
  const { id = "", method } = operation;
  const answers = [
    tags === undefined ? [] : [operation.tags.some((tag) => isNamed(tags, tag))],
    operations === undefined ? [] : [isNamed(operations, name) || isNamed(operations, id)],
    methods === undefined ? [] : [isNamed(methods, method)],
  ].flat();
  return how === "every" ? answers.every(Boolean) : answers.some(Boolean);
}

function isNamed(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name));
}
