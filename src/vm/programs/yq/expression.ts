/** yq's expressions as jq's: the names and signs that differ, and many documents at once. */

import { parseModule } from "../jq/parse-module.ts";
import { type Expression, JqSyntaxError } from "../jq/syntax.ts";

const prelude = `
def upcase: ascii_upcase; def downcase: ascii_downcase;
def to_number: tonumber; def to_string: tostring;
def sort_keys(f): f |= (if type == "object" then to_entries | sort_by(.key) | from_entries else . end);
def sortKeys(f): sort_keys(f);
def with(p; f): p |= f;
def explode(f): .;
def tag: {"object": "!!map", "array": "!!seq", "string": "!!str", "number": (if type == "number" and . == floor then "!!int" else "!!float" end), "boolean": "!!bool", "null": "!!null"}[type];
def _pick($names): . as $in | reduce $names[] as $n ({}; if ($in | has($n)) then .[$n] = $in[$n] else . end);
def omit($names): delpaths([$names[] | [.]]);
def to_json: tojson; def to_json($n): tojson; def from_json: fromjson;
def shuffle: .; def key: null;
def kind: {"object": "map", "array": "seq"}[type] // "scalar";
`;

/** What one expression needs around it. */
export interface Surroundings {
  readonly environment: ReadonlyMap<string, string>;
  readonly isAll: boolean;
}

/** A program for jq's compiler. Fails with a JqSyntaxError. */
export function parseExpression(text: string, around: Surroundings): Expression {
  const source = text
    .replaceAll(/(\.|\S+)\s+as\s+(\$\w+)\s+ireduce\s*\(/g, "reduce $1 as $2 (")
    .replaceAll(/\b(str)?env\((\w+)\)/g, (_, isText: string | undefined, name: string) => {
      const value = around.environment.get(name);
      if (value === undefined)
        throw new JqSyntaxError(`Value for env variable '${name}' not provided in env()`, 0);
      const isPlain = /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(value);
      return isText === undefined && isPlain ? value : JSON.stringify(value);
    });
  const { definitions } = parseModule(prelude);
  const { body, definitions: own } = parseModule(source);
  const translated = translate(body ?? { kind: "identity" });
  const whole = around.isAll ? overAll(translated) : translated;
  return [...definitions, ...own].reduceRight<Expression>(
    (inner, definition) => ({ kind: "def", definition, body: inner }),
    whole,
  );
}

const variables = new Map(
  Object.entries({
    fileIndex: "$__fi",
    fi: "$__fi",
    file_index: "$__fi",
    documentIndex: "$__di",
    di: "$__di",
    document_index: "$__di",
    filename: "$__fn",
  }),
);
const renamed = new Map(Object.entries({ keys: "keys_unsorted", pick: "_pick", type: "tag" }));

function translate(expression: Expression): Expression {
  const inner = mapParts(expression, translate);
  if (inner.kind === "call") return translateCall(inner);
  if (inner.kind === "binary" && (inner.operator === "==" || inner.operator === "!="))
    return translateEquals(inner);
  return inner;
}

function translateCall(call: Extract<Expression, { kind: "call" }>): Expression {
  const variable = variables.get(call.name);
  if (variable !== undefined && call.args.length === 0)
    return { kind: "variable", name: variable, at: call.at };
  const [only] = call.args;
  if (call.name === "sub" && only?.kind === "comma" && call.args.length === 1)
    return { ...call, name: "gsub", args: [only.left, only.right] };
  return { ...call, name: renamed.get(call.name) ?? call.name };
}

/** `== "a*"` is a pattern. */
function translateEquals(equals: Extract<Expression, { kind: "binary" }>): Expression {
  const { right, left } = equals;
  if (right.kind !== "literal" || typeof right.value !== "string" || !/[*?]/.test(right.value))
    return equals;
  const pattern = right.value
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const matches: Expression = {
    kind: "call",
    name: "test",
    args: [{ kind: "literal", value: `^${pattern}$` }],
    at: 0,
  };
  const text: Expression = { kind: "call", name: "tostring", args: [], at: 0 };
  const piped: Expression = {
    kind: "pipe",
    left,
    right: { kind: "pipe", left: text, right: matches },
  };
  if (equals.operator === "==") return piped;
  return { kind: "pipe", left: piped, right: { kind: "call", name: "not", args: [], at: 0 } };
}

/** The same expression with others within it. */
function mapParts(expression: Expression, map: (one: Expression) => Expression): Expression {
  switch (expression.kind) {
    case "field":
      return { ...expression, target: map(expression.target), key: map(expression.key) };
    case "slice":
    case "each":
      return { ...expression, target: map(expression.target) };
    case "pipe":
    case "comma":
    case "binary":
    case "logic":
    case "assign":
      return { ...expression, left: map(expression.left), right: map(expression.right) };
    case "negate":
      return { ...expression, operand: map(expression.operand) };
    case "if":
      return {
        ...expression,
        condition: map(expression.condition),
        consequence: map(expression.consequence),
        otherwise: map(expression.otherwise),
      };
    case "try":
      return { ...expression, body: map(expression.body) };
    case "reduce":
      return {
        ...expression,
        source: map(expression.source),
        init: map(expression.init),
        update: map(expression.update),
      };
    case "as":
      return { ...expression, source: map(expression.source), body: map(expression.body) };
    default:
      return mapMade(expression, map);
  }
}

/** The rest of them: calls, and what makes values. */
function mapMade(expression: Expression, map: (one: Expression) => Expression): Expression {
  switch (expression.kind) {
    case "call":
      return { ...expression, args: expression.args.map(map) };
    case "array":
      return expression.body === undefined
        ? expression
        : { ...expression, body: map(expression.body) };
    case "object":
      return {
        ...expression,
        entries: expression.entries.map(({ key, value }) => ({ key: map(key), value: map(value) })),
      };
    case "string":
      return {
        ...expression,
        parts: expression.parts.map((part) => (typeof part === "string" ? part : map(part))),
      };
    default:
      return expression;
  }
}

const documents: Expression = {
  kind: "each",
  target: { kind: "variable", name: "$__docs", at: 0 },
};

/** Runs on each document in turn. */
function onEach(body: Expression): Expression {
  const names = ["$__doc", "$__fi", "$__di", "$__fn"];
  return {
    kind: "as",
    source: documents,
    patterns: [{ kind: "items", items: names.map((name) => ({ kind: "name", name })) }],
    body: { kind: "pipe", left: { kind: "variable", name: "$__doc", at: 0 }, right: body },
  };
}

/** `eval-all`: where the expression says `.`, each of all documents is meant. */
function overAll(expression: Expression): Expression {
  switch (expression.kind) {
    case "identity":
    case "call":
    case "assign":
    case "object":
      return onEach(expression);
    case "field":
    case "slice":
    case "each":
      return { ...expression, target: overAll(expression.target) };
    case "pipe":
      return { ...expression, left: overAll(expression.left) };
    case "reduce":
    case "foreach":
      return { ...expression, source: overAll(expression.source) };
    case "as":
      return { ...expression, source: overAll(expression.source), body: overAll(expression.body) };
    default:
      return mapParts(expression, overAll);
  }
}
