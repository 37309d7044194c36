/** `[[ … ]]`. */
import type { Word } from "./ast.ts";
import type { Parser } from "./parser.ts";
import { readWord } from "./read-word.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import type { TestExpression } from "./test-ast.ts";
import type { Token } from "./tokens.ts";

const unary = /^-[abcdefghkprstuwxzGLNOSRnov]$/;
const binary = /^(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** The scanner is behind the `[[`; behind the `]]` afterwards. */
export function parseTest(parser: Parser): TestExpression {
  const expression = parseOr(parser);
  const token = peekInside(parser);
  if (token.text !== "]]") fail(parser, token, "syntax error in conditional expression");
  parser.take(token);
  return expression;
}

/** The next token; newlines are blanks here. */
function peekInside(parser: Parser): Token {
  parser.skipNewlines();
  return parser.peek();
}

function parseOr(parser: Parser): TestExpression {
  return parser.scanner.nested(() => parseOperands(parser, "||", parseAnd));
}

function parseAnd(parser: Parser): TestExpression {
  return parseOperands(parser, "&&", parseTerm);
}

function parseOperands(
  parser: Parser,
  operator: "&&" | "||",
  parseOperand: (parser: Parser) => TestExpression,
): TestExpression {
  const first = parseOperand(parser);
  const operands = [first];
  for (let token = peekInside(parser); token.text === operator; token = peekInside(parser)) {
    parser.take(token);
    operands.push(parseOperand(parser));
  }
  return operands.length === 1 ? first : { kind: "logical", operator, operands };
}

function parseTerm(parser: Parser): TestExpression {
  const { scanner } = parser;
  const token = peekInside(parser);
  if (token.text === "(" && token.kind === "operator") return parseGroup(parser, token);
  const isGlob = scanner.options.isExtglob === true && scanner.startsWith("!(");
  if (token.kind === "word" && token.text === "!" && !isGlob) {
    parser.take(token);
    return scanner.nested(() => ({ kind: "not", operand: parseTerm(parser) }));
  }
  if (token.kind === "word" && unary.test(token.text)) {
    const found = parseUnary(parser, token);
    if (found !== undefined) return found;
  }
  if (token.kind !== "word" && !isNumberToken(token))
    fail(parser, token, `unexpected token \`${shown(parser, token)}' in conditional command`);
  if (token.text === "]]") fail(parser, token, "");
  return parseBinary(parser, readAny(parser));
}

function parseGroup(parser: Parser, token: Token): TestExpression {
  parser.take(token);
  const operand = parseOr(parser);
  const close = peekInside(parser);
  if (close.text !== ")" || close.kind !== "operator")
    fail(parser, close, `unexpected token \`${shown(parser, close)}', expected \`)'`);
  parser.take(close);
  return { kind: "group", operand };
}

/** `-f word`; undefined, and nothing read, where the operator is an operand itself: `[[ -f == x ]]`. */
function parseUnary(parser: Parser, token: Token): TestExpression | undefined {
  const { scanner } = parser;
  parser.take(token);
  const operand = parser.peek();
  if (operand.kind === "word" && operand.text !== "]]") {
    const isOperator = binary.test(operand.text);
    const before = scanner.at;
    const word = readWord(scanner);
    if (isOperator && parser.peek().text !== "]]") {
      scanner.at = token.start;
      return undefined;
    }
    if (word.text === "" && before === scanner.at) return undefined;
    return { kind: "unary", operator: token.text, operand: word };
  }
  if (operand.kind === "word")
    fail(
      parser,
      operand,
      `unexpected argument \`${shown(parser, operand)}' to conditional unary operator`,
    );
  scanner.at = token.start;
  return undefined;
}

function parseBinary(parser: Parser, left: Word): TestExpression {
  const { scanner } = parser;
  const token = parser.peek();
  const isEnd =
    token.text === "]]" || token.text === "&&" || token.text === "||" || token.text === ")";
  if (isEnd || token.kind === "newline") {
    if (token.kind === "newline" && !isFollowed(parser))
      fail(parser, token, "unexpected token `newline', conditional binary operator expected");
    return { kind: "unary", operator: "-n", operand: left, isImplied: true };
  }
  const isOrder = token.kind === "redirect" && (token.text === "<" || token.text === ">");
  if (!isOrder && !(token.kind === "word" && binary.test(token.text)))
    fail(
      parser,
      token,
      token.kind === "word"
        ? "conditional binary operator expected"
        : `unexpected token \`${shown(parser, token)}', conditional binary operator expected`,
    );
  parser.take(token);
  const next = parser.peek();
  if (
    (next.kind !== "word" && !(token.text === "=~" && next.text === "(") && !isNumberToken(next)) ||
    next.text === "]]"
  )
    fail(
      parser,
      next,
      `unexpected argument \`${shown(parser, next)}' to conditional binary operator`,
    );
  const isPattern = token.text === "=" || token.text === "==" || token.text === "!=";
  const right = readWord(scanner, token.text === "=~" ? "regexp" : isPattern ? "pattern" : "word");
  return { kind: "binary", operator: token.text, left, right };
}

/** Whether `]]`, `&&` or `||` follows the newlines here. */
function isFollowed(parser: Parser): boolean {
  const { text } = peekInside(parser);
  return text === "]]" || text === "&&" || text === "||" || text === ")";
}

/** Digits before `<` are a word in here. */
function isNumberToken(token: Token): boolean {
  return token.kind === "redirect" && /^[\d{]/.test(token.text);
}

function readAny(parser: Parser): Word {
  return readWord(parser.scanner);
}

function shown(parser: Parser, token: Token): string {
  if (token.kind === "end") return "newline";
  if (token.text !== "") return token.text;
  return /[^\s;&|()<>]+/.exec(parser.scanner.text.slice(token.start))?.[0] ?? "";
}

/** bash says what it expected and reads no further. */
function fail(parser: Parser, token: Token, message: string): never {
  const { scanner } = parser;
  const isEnd = token.kind === "end";
  throw new SyntaxFailure({
    message,
    line: scanner.line(token.start),
    isIncomplete: isEnd,
    ...(isEnd ? {} : { keepsStatus: true }),
  });
}
