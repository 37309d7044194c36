import { toJson } from "./json-writer.ts";
import { type Expression, JqSyntaxError, type ObjectEntry } from "./syntax.ts";
import type { ExpressionParser } from "./token-reader.ts";
import { typeOf, type Value } from "./value.ts";

/** What follows the `{` of an object. */
export function parseObject(parser: ExpressionParser): Expression {
  const { reader } = parser;
  const entries: ObjectEntry[] = [];
  if (reader.take("}")) return { kind: "object", entries };
  do {
    if (entries.length > 0 && reader.is("}")) break;
    entries.push(parseEntry(parser));
  } while (reader.take(","));
  reader.expect("}", "'}'");
  return { kind: "object", entries };
}

function parseEntry(parser: ExpressionParser): ObjectEntry {
  const { reader } = parser;
  const token = reader.current;
  switch (token.kind) {
    case "variable": {
      reader.next();
      const key: Expression = { kind: "literal", value: token.text.slice(1) };
      const variable: Expression = { kind: "variable", name: token.text, at: token.at };
      if (token.text === "$__loc__")
        return { key, value: { kind: "literal", value: locationOf() } };
      if (reader.take(":")) return { key: variable, value: parseValue(parser) };
      return { key, value: variable };
    }
    case "name":
    case "keyword":
      reader.next();
      return parseNamed(parser, { kind: "literal", value: token.text });
    case "string":
      reader.next();
      return parseNamed(parser, parser.string(token, "text"));
    case "format":
      reader.next();
      return parseNamed(parser, parser.string(reader.expectKind("string"), token.text.slice(1)));
    case "number":
      reader.next();
      throw new JqSyntaxError("May need parentheses around object key expression", token.at);
    default: {
      reader.expect("(");
      const key = parser.pipe();
      const fixed = constantOf(key);
      if (fixed !== undefined && typeof fixed !== "string") {
        const shown = `${typeOf(fixed)} (${toJson(fixed)})`;
        throw new JqSyntaxError(`Cannot use ${shown} as object key`, token.at);
      }
      reader.expect(")");
      reader.expect(":");
      return { key, value: parseValue(parser) };
    }
  }
}

function locationOf(): ReadonlyMap<string, string | number> {
  return new Map<string, string | number>([
    ["file", "<top-level>"],
    ["line", 1],
  ]);
}

function constantOf(key: Expression): Value | undefined {
  if (key.kind === "literal") return key.value;
  const isNull = key.kind === "call" && key.name === "null" && key.args.length === 0;
  return isNull ? null : undefined;
}

/** `{name}` is short for `{name: .name}`. */
function parseNamed(parser: ExpressionParser, key: Expression): ObjectEntry {
  if (parser.reader.take(":")) return { key, value: parseValue(parser) };
  return { key, value: { kind: "field", target: { kind: "identity" }, key } };
}

// Deviation: operators in an object's value need no parentheses; jq 1.7 refuses `{a: 1 + 2}`.
function parseValue(parser: ExpressionParser): Expression {
  const left = parser.alternative();
  if (!parser.reader.take("|")) return left;
  return { kind: "pipe", left, right: parseValue(parser) };
}
