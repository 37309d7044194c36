/** Rules and functions of an awk program. */
import { AwkSyntaxError } from "./awk-error.ts";
import { builtinNames, Lexer, type Source } from "./lexer.ts";
import { StatementParser } from "./parse-statement.ts";
import type { FunctionNode, Pattern, ProgramTree, Rule, Statement } from "./syntax.ts";

/** Reads all parts of a program as one. Fails with an AwkSyntaxError. */
export function parseProgram(sources: readonly Source[]): ProgramTree {
  const rules: Rule[] = [];
  const functions = new Map<string, FunctionNode>();
  for (const source of sources) new ProgramParser(source, rules, functions).parse();
  return { rules, functions };
}

class ProgramParser extends StatementParser {
  readonly #rules: Rule[];
  readonly #functions: Map<string, FunctionNode>;

  constructor(source: Source, rules: Rule[], functions: Map<string, FunctionNode>) {
    super(new Lexer(source));
    this.#rules = rules;
    this.#functions = functions;
  }

  parse(): void {
    this.skipNewlines();
    while (this.token.kind !== "end") {
      if (this.isOperator(";")) throw this.#emptyRule();
      if (this.isKeyword("function")) this.#function();
      else this.#rule();
      this.skipNewlines();
      // One semicolon may end a rule.
      if (this.takeOperator(";")) this.skipNewlines();
    }
  }

  #emptyRule(): AwkSyntaxError {
    const { line } = this.token;
    return new AwkSyntaxError([
      `${this.sourceName}:${line}: each rule must have a pattern or an action part`,
    ]);
  }

  #rule(): void {
    const { token } = this;
    const { line } = token;
    const pattern = this.#pattern();
    const isSpecial = pattern.kind !== "expr" && pattern.kind !== "range";
    this.context = {
      loops: 0,
      switches: 0,
      inFunction: false,
      rule:
        pattern.kind === "always" || pattern.kind === "expr" || pattern.kind === "range"
          ? "main"
          : pattern.kind,
    };
    if (this.isOperator("{")) {
      this.#rules.push({ pattern, body: this.block(), line });
      return;
    }
    if (isSpecial) {
      if (this.token.kind === "newline" || this.token.kind === "end")
        throw this.#missingAction(pattern.kind, line);
      throw this.syntaxError();
    }
    if (this.token.kind !== "newline" && this.token.kind !== "end" && !this.isOperator(";"))
      throw this.syntaxError();
    this.#rules.push({ pattern, body: undefined, line });
  }

  #missingAction(name: string, line: number): AwkSyntaxError {
    return new AwkSyntaxError([
      `${this.sourceName}:${line}: ${name} blocks must have an action part`,
    ]);
  }

  #pattern(): Pattern {
    const { kind, text } = this.token;
    if (kind === "operator" && text === "{") return { kind: "always" };
    if (
      kind === "keyword" &&
      (text === "BEGIN" || text === "END" || text === "BEGINFILE" || text === "ENDFILE")
    ) {
      this.advance();
      return { kind: text };
    }
    const from = this.expression();
    if (!this.takeOperator(",")) return { kind: "expr", expr: from };
    this.skipNewlines();
    return { kind: "range", from, to: this.expression() };
  }

  #function(): void {
    const { line } = this.token;
    this.advance();
    const { kind, text: name, start } = this.token;
    if (kind === "builtin" && builtinNames.has(name))
      throw this.errorAt(start, `\`${name}' is a built-in function, it cannot be redefined`);
    if (kind !== "name" && kind !== "call") throw this.syntaxError();
    this.advance();
    this.expectOperator("(");
    const parameters = this.#parameters();
    this.skipNewlines();
    this.context = { loops: 0, switches: 0, inFunction: true, rule: "function" };
    this.#checkFunction(name, parameters, line);
    const body: Statement = this.block();
    this.#functions.set(name, { name, parameters, body, line });
  }

  #parameters(): readonly string[] {
    const parameters: string[] = [];
    while (!this.isOperator(")")) {
      if (this.token.kind !== "name") throw this.syntaxError();
      parameters.push(this.token.text);
      this.advance();
      if (!this.takeOperator(",")) break;
      this.skipNewlines();
      if (this.isOperator(")")) throw this.syntaxError();
    }
    this.expectOperator(")");
    return parameters;
  }

  #checkFunction(name: string, parameters: readonly string[], line: number): void {
    const error = (message: string): AwkSyntaxError =>
      new AwkSyntaxError([`${this.sourceName}:${line}: error: ${message}`]);
    if (this.#functions.has(name)) throw error(`function name \`${name}' previously defined`);
    for (const [at, parameter] of parameters.entries()) {
      if (parameter === name)
        throw error(`function \`${name}': cannot use function name as parameter name`);
      const first = parameters.indexOf(parameter);
      if (first < at)
        throw error(
          `function \`${name}': parameter #${at + 1}, \`${parameter}', duplicates parameter #${first + 1}`,
        );
    }
  }
}
