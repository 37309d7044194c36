/** jq's grammar for expressions, by precedence climbing. */

import type { Token } from "./lexer.ts";
import { parseNumber } from "./number-text.ts";
import { ADDITION_LEVEL, joinStages, levels, makeBinary } from "./operators.ts";
import { parseForeach, parseIf, parseReduce } from "./parse-control.ts";
import { parseObject } from "./parse-object.ts";
import { parsePatterns } from "./parse-patterns.ts";
import { type Definition, type Expression, JqSyntaxError } from "./syntax.ts";
import { type ExpressionParser, TokenReader } from "./token-reader.ts";

const identity: Expression = { kind: "identity" };
/** Expressions within expressions: what the stack of the parser bears. */
const DEPTH_LIMIT = 1000;

export class Parser implements ExpressionParser {
  readonly reader: TokenReader;
  readonly #lineOf: (at: number) => number;
  #depth: number;

  constructor(tokens: readonly Token[], lineOf: (at: number) => number, depth = 0) {
    this.reader = new TokenReader(tokens);
    this.#lineOf = lineOf;
    this.#depth = depth;
  }

  pipe(): Expression {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT)
      throw new JqSyntaxError("memory exhausted", this.reader.current.at);
    const stages: Expression[] = [];
    const definitions: { readonly definition: Definition; readonly before: number }[] = [];
    do {
      while (this.reader.is("def"))
        definitions.push({ definition: this.definition(), before: stages.length });
      stages.push(this.#comma());
    } while (this.reader.take("|"));
    this.#depth -= 1;
    return joinStages(stages, definitions);
  }

  definition(): Definition {
    const { reader } = this;
    reader.expect("def");
    const { kind, text: name } = reader.next();
    if (kind !== "name" && kind !== "keyword") throw reader.unexpected();
    const params: string[] = [];
    if (reader.take("(")) {
      do {
        const param = reader.next();
        if (param.kind !== "name" && param.kind !== "variable" && param.kind !== "keyword")
          throw reader.unexpected();
        params.push(param.text);
      } while (reader.take(";"));
      reader.expect(")");
    }
    reader.expect(":");
    const body = this.pipe();
    reader.expect(";");
    return { name, params, body };
  }

  #comma(): Expression {
    let left = this.alternative();
    while (this.reader.take(",")) left = { kind: "comma", left, right: this.alternative() };
    return left;
  }

  alternative(): Expression {
    return this.#binary(0);
  }

  #binary(level: number): Expression {
    const row = levels[level];
    if (row === undefined) return this.#unary();
    const { at } = this.reader.current;
    let left = this.#binary(level + 1);
    for (;;) {
      const { kind, text } = this.reader.current;
      const isOperator = (kind === "sign" || kind === "keyword") && row.signs.includes(text);
      if (!isOperator) return left;
      this.reader.next();
      const right = this.#binary(row.side === "right" ? level : level + 1);
      left = makeBinary(text, left, right, at);
      if (row.side === "none") {
        const { text: next, kind: nextKind } = this.reader.current;
        if (nextKind === "sign" && row.signs.includes(next)) throw this.reader.unexpected();
        return left;
      }
    }
  }

  #unary(): Expression {
    if (!this.reader.take("-")) return this.#operand();
    return { kind: "negate", operand: this.#binary(ADDITION_LEVEL + 1) };
  }

  /** A term with what follows it: `as`, or a definition, a label, a `try`. */
  #operand(): Expression {
    const { reader } = this;
    if (reader.is("def")) {
      const definition = this.definition();
      return { kind: "def", definition, body: this.pipe() };
    }
    if (reader.take("label")) {
      const name = reader.expectKind("variable").text;
      reader.expect("|");
      return { kind: "label", name, body: this.pipe() };
    }
    const term = this.term();
    if (!reader.take("as")) return term;
    const patterns = parsePatterns(this);
    reader.expect("|", "'|'");
    return { kind: "as", source: term, patterns, body: this.pipe() };
  }

  #try(): Expression {
    const body = this.#tryBody();
    const handler = this.reader.take("catch") ? this.#tryBody() : undefined;
    return { kind: "try", body, handler };
  }

  #tryBody(): Expression {
    if (this.reader.take("-")) return { kind: "negate", operand: this.#tryBody() };
    return this.term();
  }

  /** A term with its suffixes. */
  term(): Expression {
    return this.#postfix(this.#term());
  }

  #postfix(start: Expression): Expression {
    const { reader } = this;
    let term = start;
    for (;;) {
      const { kind, text } = reader.current;
      if (kind === "field") {
        reader.next();
        term = { kind: "field", target: term, key: { kind: "literal", value: text.slice(1) } };
      } else if (reader.is("?")) {
        reader.next();
        term = { kind: "try", body: term, handler: undefined };
      } else if (reader.is("?//")) {
        reader.next();
        const body: Expression = { kind: "try", body: term, handler: undefined };
        return { kind: "logic", operator: "//", left: body, right: this.alternative() };
      } else if (reader.is("[")) {
        term = this.#bracket(term);
      } else if (reader.is(".") && this.#isSuffix()) {
        reader.next();
        term = reader.is("[") ? this.#bracket(term) : this.#quotedField(term);
      } else return term;
    }
  }

  #isSuffix(): boolean {
    const after = this.reader.peek(1);
    return after?.kind === "string" || (after?.kind === "sign" && after.text === "[");
  }

  #quotedField(target: Expression): Expression {
    return { kind: "field", target, key: this.string(this.reader.next(), "text") };
  }

  /** `[]`, `[key]`, `[from:to]` behind a term. */
  #bracket(target: Expression): Expression {
    const { reader } = this;
    reader.expect("[");
    if (reader.take("]")) return { kind: "each", target };
    if (reader.take(":")) {
      const to = this.pipe();
      reader.expect("]");
      return { kind: "slice", target, from: undefined, to };
    }
    const key = this.pipe();
    if (reader.take(":")) {
      const to = reader.is("]") ? undefined : this.pipe();
      reader.expect("]");
      return { kind: "slice", target, from: key, to };
    }
    reader.expect("]");
    return { kind: "field", target, key };
  }

  #term(): Expression {
    const { reader } = this;
    const token = reader.current;
    switch (token.kind) {
      case "number":
        reader.next();
        return { kind: "literal", value: parseNumber(token.text) };
      case "string":
        reader.next();
        return this.string(token, "text");
      case "format":
        reader.next();
        if (reader.current.kind === "string")
          return this.string(reader.next(), token.text.slice(1));
        return { kind: "format", name: token.text.slice(1) };
      case "field":
        reader.next();
        return {
          kind: "field",
          target: identity,
          key: { kind: "literal", value: token.text.slice(1) },
        };
      case "variable":
        reader.next();
        return this.#variable(token);
      case "name":
        return this.#call();
      case "keyword":
        return this.#keyword();
      default:
        return this.#signed();
    }
  }

  #variable({ text, at }: Token): Expression {
    if (text !== "$__loc__") return { kind: "variable", name: text, at };
    const value = new Map<string, string | number>([
      ["file", "<top-level>"],
      ["line", this.#lineOf(at)],
    ]);
    return { kind: "literal", value };
  }

  #call(): Expression {
    const { reader } = this;
    const { text: name, at } = reader.next();
    if (name === "break" && reader.current.kind === "variable")
      return { kind: "break", name: reader.next().text, at };
    const args: Expression[] = [];
    if (reader.take("(")) {
      do args.push(this.pipe());
      while (reader.take(";"));
      reader.expect(")");
    }
    return { kind: "call", name, args, at };
  }

  #keyword(): Expression {
    const { reader } = this;
    if (reader.take("if")) return parseIf(this);
    if (reader.take("reduce")) return parseReduce(this);
    if (reader.take("foreach")) return parseForeach(this);
    if (reader.take("try")) return this.#try();
    throw reader.unexpected();
  }

  #signed(): Expression {
    const { reader } = this;
    if (reader.take(".")) {
      if (reader.current.kind === "string") return this.#quotedField(identity);
      return identity;
    }
    if (reader.take("..")) return { kind: "call", name: "recurse", args: [], at: 0 };
    if (reader.take("(")) {
      const body = this.pipe();
      reader.expect(")");
      return body;
    }
    if (reader.take("[")) {
      if (reader.take("]")) return { kind: "array", body: undefined };
      const body = this.pipe();
      reader.expect("]");
      return { kind: "array", body };
    }
    if (reader.take("{")) return parseObject(this);
    throw reader.unexpected();
  }

  string({ parts = [] }: Token, format: string): Expression {
    const [only] = parts;
    if (parts.length === 1 && typeof only === "string") return { kind: "literal", value: only };
    const inner = parts.map((part) => {
      if (typeof part === "string") return part;
      const parser = new Parser(part, this.#lineOf, this.#depth + 1);
      const body = parser.pipe();
      if (parser.reader.current.kind !== "end") throw parser.reader.unexpected();
      return body;
    });
    return { kind: "string", format, parts: inner };
  }
}
