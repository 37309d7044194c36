/** Lists, pipelines and simple commands, by recursive descent; compound commands are in `parse-compound.ts`. */
import type { AndOr, Command, PipelineNode, Statement } from "./ast.ts";
import { expandAlias } from "./expand-alias.ts";
import { isCompoundStart, parseCompound } from "./parse-compound.ts";
import { parseCoprocess, parseFunctionKeyword } from "./parse-function.ts";
import { beginList, noteRead } from "./parse-progress.ts";
import { PendingDocuments } from "./parse-redirect.ts";
import { parseSimple } from "./parse-simple.ts";
import type { Scanner } from "./scanner.ts";
import { failAt, peekToken, type Token } from "./tokens.ts";

/** Words that end a list where a command could begin. */
const closers = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);

/** One nesting of commands being read: a text, or what stands in `$(…)`. */
export class Parser {
  readonly scanner: Scanner;
  readonly documents: PendingDocuments;

  constructor(scanner: Scanner) {
    this.scanner = scanner;
    this.documents = new PendingDocuments(scanner);
  }

  /** The next token; a word right behind an alias that ends in a blank is an alias, too. */
  peek(): Token {
    for (;;) {
      const token = peekToken(this.scanner);
      if (token.kind !== "word" || !expandAlias(this.scanner, token, false)) return token;
    }
  }

  /** The token where a command begins: aliases are expanded first. */
  peekCommand(): Token {
    for (;;) {
      const token = this.peek();
      if (token.kind !== "word" || !expandAlias(this.scanner, token, true)) return token;
    }
  }

  /** Steps over a token that is no word, or a word of plain letters. */
  take(token: Token): void {
    this.scanner.at = token.start + (token.kind === "newline" ? 1 : token.text.length);
    if (token.kind === "newline" && !this.scanner.source.isSpliced(token.start))
      this.documents.read();
  }

  /** Steps over the reserved word or operator, which must be here. */
  expect(text: string): void {
    const token = this.peekCommand();
    if (token.text !== text || token.kind === "newline") failAt(this.scanner, token);
    this.take(token);
  }

  skipNewlines(): void {
    for (let token = this.peek(); token.kind === "newline"; token = this.peek()) this.take(token);
  }

  /** Commands up to what closes the list around them; there is at least one. */
  parseBody(): Statement[] {
    const statements = this.parseStatements();
    if (statements.length === 0) failAt(this.scanner, this.peekCommand());
    return statements;
  }

  /** Commands, perhaps none, up to what no command begins with. */
  parseStatements(): Statement[] {
    const list = beginList(this, this.scanner.progress?.statements);
    const statements = list.items;
    for (;;) {
      this.skipNewlines();
      noteRead(this, list);
      const token = this.peekCommand();
      if (this.#isCloser(token)) return statements;
      if (token.kind === "newline") continue;
      statements.push(this.#parseStatement());
      const separator = this.peek();
      if (separator.kind === "newline") continue;
      if (separator.text !== ";" && separator.text !== "&") return statements;
      if (separator.kind !== "operator") return statements;
      this.take(separator);
    }
  }

  /** One line of commands; undefined at the end of the text. */
  parseLine(): Statement[] | undefined {
    this.skipNewlines();
    if (this.peek().kind === "end") return undefined;
    const statements: Statement[] = [];
    for (;;) {
      const first = this.peekCommand();
      if (first.kind === "end" || first.kind === "newline") {
        if (first.kind === "newline") this.take(first);
        return statements;
      }
      statements.push(this.#parseStatement());
      const token = this.peek();
      if (token.kind === "end") return statements;
      if (token.kind === "newline") {
        this.take(token);
        return statements;
      }
      if (token.kind !== "operator" || (token.text !== ";" && token.text !== "&"))
        failAt(this.scanner, token);
      this.take(token);
    }
  }

  #isCloser(token: Token): boolean {
    if (token.kind === "end") return true;
    if (token.kind === "word") return closers.has(token.text);
    return token.kind === "operator" && token.text !== "(";
  }

  #parseStatement(): Statement {
    const { scanner } = this;
    const { start } = this.peek();
    const line = scanner.line(start);
    const command = this.#parseAndOr();
    const end = scanner.text.slice(start, scanner.at).trimEnd().length + start;
    const token = this.peek();
    return {
      command,
      isBackground: token.kind === "operator" && token.text === "&",
      line,
      endLine: scanner.line(Math.max(start, end - 1)),
      text: scanner.text.slice(start, end),
    };
  }

  #parseAndOr(): AndOr | PipelineNode {
    const first = this.parsePipeline();
    const rest: { operator: "&&" | "||"; command: PipelineNode }[] = [];
    for (;;) {
      const token = this.peek();
      if (token.text !== "&&" && token.text !== "||") break;
      this.take(token);
      this.skipNewlines();
      rest.push({ operator: token.text, command: this.parsePipeline() });
    }
    return rest.length === 0 ? first : { kind: "and-or", first, rest };
  }

  parsePipeline(): PipelineNode {
    const prefix = this.#parsePrefix();
    const commands: Command[] = [];
    const pipesStderr: boolean[] = [];
    if (!(prefix.isGiven && this.#endsList(this.peekCommand()))) {
      commands.push(this.parseCommand());
      for (
        let token = this.peek();
        token.text === "|" || token.text === "|&";
        token = this.peek()
      ) {
        this.take(token);
        this.skipNewlines();
        pipesStderr.push(token.text === "|&");
        commands.push(this.parseCommand());
      }
    }
    const [only] = commands;
    if (!prefix.isGiven && commands.length === 1 && only !== undefined) return only;
    const { isNegated, timed } = prefix;
    return { kind: "pipeline", commands, pipesStderr, isNegated, timed };
  }

  #endsList(token: Token): boolean {
    return token.kind === "end" || token.kind === "newline" || token.text === ";";
  }

  /** `!` and `time` before a pipeline. */
  #parsePrefix(): { isGiven: boolean; isNegated: boolean; timed: "no" | "bash" | "posix" } {
    const prefix = { isGiven: false, isNegated: false, timed: "no" as "no" | "bash" | "posix" };
    for (;;) {
      const token = this.peekCommand();
      if (token.kind !== "word") return prefix;
      if (token.text === "!") {
        this.take(token);
        prefix.isNegated = !prefix.isNegated;
      } else if (
        token.text === "time" &&
        !/^time[ \t]+-(?!p?[ \t\n]|-[ \t\n])/.test(
          this.scanner.text.slice(token.start, token.start + 40),
        )
      ) {
        this.take(token);
        prefix.timed = "bash";
        if (this.peek().text === "-p") {
          this.take(this.peek());
          prefix.timed = "posix";
        }
        if (this.peek().text === "--") this.take(this.peek());
      } else {
        return prefix;
      }
      prefix.isGiven = true;
    }
  }

  parseCommand(): Command {
    const token = this.peekCommand();
    if (token.text === "coproc" && token.kind === "word") return parseCoprocess(this, token);
    if (token.text === "function" && token.kind === "word")
      return this.scanner.nested(() => parseFunctionKeyword(this, token));
    if (isCompoundStart(token)) return parseCompound(this, token);
    if (token.kind === "operator" || token.kind === "newline" || token.kind === "end")
      failAt(this.scanner, token);
    if (token.kind === "word" && (closers.has(token.text) || token.text === "in"))
      if (token.text !== "in") failAt(this.scanner, token);
    return parseSimple(this);
  }
}
