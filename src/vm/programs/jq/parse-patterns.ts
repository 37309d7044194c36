import type { Expression, Pattern, PatternField } from "./syntax.ts";
import type { ExpressionParser } from "./token-reader.ts";

/** What follows `as`: patterns with `?//` between them. */
export function parsePatterns(parser: ExpressionParser): readonly Pattern[] {
  const patterns = [parsePattern(parser)];
  while (parser.reader.take("?//")) patterns.push(parsePattern(parser));
  return patterns;
}

function parsePattern(parser: ExpressionParser): Pattern {
  const { reader } = parser;
  if (reader.current.kind === "variable") return { kind: "name", name: reader.next().text };
  if (reader.take("[")) {
    const items: Pattern[] = [];
    do items.push(parsePattern(parser));
    while (reader.take(","));
    reader.expect("]", "',' or ']'");
    return { kind: "items", items };
  }
  reader.expect("{");
  const fields: PatternField[] = [];
  do fields.push(parseField(parser));
  while (reader.take(","));
  reader.expect("}", "',' or '}'");
  return { kind: "fields", fields };
}

function parseField(parser: ExpressionParser): PatternField {
  const { reader } = parser;
  const token = reader.current;
  if (token.kind === "variable") {
    reader.next();
    const pattern = reader.take(":") ? parsePattern(parser) : undefined;
    return { name: token.text, key: { kind: "literal", value: token.text.slice(1) }, pattern };
  }
  const key = parseKey(parser);
  reader.expect(":");
  return { name: undefined, key, pattern: parsePattern(parser) };
}

function parseKey(parser: ExpressionParser): Expression {
  const { reader } = parser;
  const token = reader.current;
  if (token.kind === "name" || token.kind === "keyword")
    return { kind: "literal", value: reader.next().text };
  if (token.kind === "string") return parser.string(reader.next(), "text");
  reader.expect("(");
  const key = parser.pipe();
  reader.expect(")");
  return key;
}
