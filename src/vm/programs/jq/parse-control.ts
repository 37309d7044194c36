/** `if`, `reduce` and `foreach`, behind their keyword. */
import { parsePatterns } from "./parse-patterns.ts";
import { type Expression, JqSyntaxError } from "./syntax.ts";
import type { ExpressionParser } from "./token-reader.ts";

const identity: Expression = { kind: "identity" };

export function parseIf(parser: ExpressionParser): Expression {
  const { reader } = parser;
  const start = reader.peek(-1)?.at ?? 0;
  const condition = parser.pipe();
  reader.expect("then");
  try {
    return parseBranches(parser, condition);
  } catch (error) {
    if (!(error instanceof JqSyntaxError) || error.also !== undefined) throw error;
    const also = new JqSyntaxError("Possibly unterminated 'if' statement", start);
    throw new JqSyntaxError(error.message, error.at, error.end, also);
  }
}

function parseBranches(parser: ExpressionParser, condition: Expression): Expression {
  const { reader } = parser;
  const consequence = parser.pipe();
  if (reader.take("elif"))
    return { kind: "if", condition, consequence, otherwise: parseIf(parser) };
  const otherwise = reader.take("else") ? parser.pipe() : identity;
  reader.expect("end");
  return { kind: "if", condition, consequence, otherwise };
}

export function parseReduce(parser: ExpressionParser): Expression {
  const { reader } = parser;
  const source = parser.term();
  reader.expect("as");
  const patterns = parsePatterns(parser);
  reader.expect("(");
  const init = parser.pipe();
  reader.expect(";");
  const update = parser.pipe();
  reader.expect(")");
  return { kind: "reduce", source, patterns, init, update };
}

export function parseForeach(parser: ExpressionParser): Expression {
  const { reader } = parser;
  const source = parser.term();
  reader.expect("as");
  const patterns = parsePatterns(parser);
  reader.expect("(");
  const init = parser.pipe();
  reader.expect(";");
  const update = parser.pipe();
  const extract = reader.take(";") ? parser.pipe() : undefined;
  reader.expect(")");
  return { kind: "foreach", source, patterns, init, update, extract };
}
