import { type Token, tokenize } from "./lexer.ts";
import { Parser } from "./parser.ts";
import {
  type Definition,
  type Expression,
  type Import,
  JqSyntaxError,
  type Module,
} from "./syntax.ts";
import { isObject, type Value } from "./value.ts";

/** A program or a library from its text. Fails with a JqSyntaxError. */
export function parseModule(text: string): Module {
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const parser = new Parser(tokenize(text), lineOf);
  const { reader } = parser;
  let metadata: Value | undefined;
  if (reader.take("module")) {
    metadata = constantObject(parser.pipe(), "Module metadata");
    reader.expect(";");
  }
  const imports: Import[] = [];
  while (reader.is("import") || reader.is("include")) imports.push(parseImport(parser));
  const definitions: Definition[] = [];
  while (reader.is("def")) definitions.push(parser.definition());
  const body = reader.current.kind === "end" ? undefined : parser.pipe();
  if (reader.current.kind !== "end") throw reader.unexpected("$end");
  return { metadata, imports, definitions, body };
}

function parseImport(parser: Parser): Import {
  const { reader } = parser;
  const isInclude = reader.next().text === "include";
  const path = pathOf(reader.expectKind("string"));
  let name: string | undefined;
  if (!isInclude) {
    reader.expect("as");
    const token = reader.next();
    name = token.text;
  }
  const metadata = reader.is(";") ? new Map() : constantObject(parser.pipe(), "Module metadata");
  reader.expect(";");
  const search = isObject(metadata) ? metadata.get("search") : undefined;
  return {
    path,
    name,
    isData: name?.startsWith("$") === true,
    search: typeof search === "string" ? search : undefined,
    metadata,
  };
}

function pathOf({ parts = [], at }: Token): string {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return only;
  throw new JqSyntaxError("Import path must be constant", at);
}

function constantObject(expression: Expression, what: string): Value {
  const value = constantOf(expression);
  if (value === undefined) throw new JqSyntaxError(`${what} must be constant`, 0);
  if (!isObject(value)) throw new JqSyntaxError(`${what} must be an object`, 0);
  return value;
}

function constantOf(expression: Expression): Value | undefined {
  if (expression.kind === "literal") return expression.value;
  if (expression.kind === "call" && expression.args.length === 0) {
    const { name } = expression;
    return name === "null" ? null : name === "true" ? true : name === "false" ? false : undefined;
  }
  if (expression.kind === "array") {
    if (expression.body === undefined) return [];
    const items: Value[] = [];
    for (let rest: Expression | undefined = expression.body; rest !== undefined; ) {
      const last: Expression = rest.kind === "comma" ? rest.right : rest;
      const value = constantOf(last);
      if (value === undefined) return undefined;
      items.unshift(value);
      rest = rest.kind === "comma" ? rest.left : undefined;
    }
    return items;
  }
  if (expression.kind !== "object") return undefined;
  const object = new Map<string, Value>();
  for (const { key, value } of expression.entries) {
    const name = constantOf(key);
    const item = constantOf(value);
    if (typeof name !== "string" || item === undefined) return undefined;
    object.set(name, item);
  }
  return object;
}
