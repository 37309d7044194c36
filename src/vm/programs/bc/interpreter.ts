/** Runs bc's statements. */
import type { Sys } from "../../../kernel/index.ts";
import { BcRuntimeError, Evaluator, type Printer } from "./evaluator.ts";
import type { Num } from "./number.ts";
import { showNumber } from "./show-number.ts";
import type { BcState } from "./state.ts";
import type { FunctionNode, Statement } from "./syntax.ts";

type Signal = "next" | "break" | "continue" | "return" | "halt";

/** Steps between two looks at the clock. */
const TICKS = 200;
const TURN_MS = 4;
/** Calls within calls. */
const DEPTH_LIMIT = 20_000;
const STACK_DEPTH = 32;

export interface InterpreterOptions {
  readonly sys: Sys;
  readonly state: BcState;
  readonly printer: Printer;
  readonly readLine: () => Promise<string>;
}

export class Interpreter {
  readonly #options: InterpreterOptions;
  readonly #evaluator: Evaluator;
  #returned: Num | undefined;
  #depth = 0;
  #ticks = TICKS;
  #turnStart = performance.now();

  constructor(options: InterpreterOptions) {
    this.#options = options;
    this.#evaluator = new Evaluator({
      state: options.state,
      printer: options.printer,
      call: (node) => this.#callBody(node),
      readLine: options.readLine,
    });
  }

  /** True where the program halts. Fails with a BcRuntimeError. */
  async run(statement: Statement): Promise<boolean> {
    this.#depth = 0;
    return (await this.#statement(statement)) === "halt";
  }

  async #callBody(node: FunctionNode): Promise<Num | undefined> {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) throw new BcRuntimeError("Stack error.", 0, node.name);
    if (this.#depth % STACK_DEPTH === 0) await Promise.resolve();
    await this.#pause();
    this.#returned = undefined;
    const signal = await this.#list(node.body);
    this.#depth -= 1;
    const value = signal === "return" ? this.#returned : undefined;
    this.#returned = undefined;
    return value;
  }

  async #pause(): Promise<void> {
    this.#ticks -= 1;
    if (this.#ticks > 0) return;
    this.#ticks = TICKS;
    await this.#options.printer.flushFull();
    if (performance.now() - this.#turnStart < TURN_MS) return;
    await this.#options.sys.schedYield();
    this.#turnStart = performance.now();
  }

  async #list(list: readonly Statement[]): Promise<Signal> {
    for (const statement of list) {
      const signal = await this.#statement(statement);
      if (signal !== "next") return signal;
    }
    return "next";
  }

  async #statement(node: Statement): Promise<Signal> {
    switch (node.kind) {
      case "expression":
        await this.#expression(node);
        return "next";
      case "string":
        this.#options.printer.text(node.text);
        return "next";
      case "print":
        await this.#print(node);
        return "next";
      case "block":
        return this.#list(node.body);
      case "if":
        if (await this.#evaluator.test(node.test)) return this.#statement(node.yes);
        return node.no === undefined ? "next" : this.#statement(node.no);
      case "while":
      case "for":
        return this.#loop(node);
      case "return":
        this.#returned =
          node.value === undefined ? undefined : await this.#evaluator.value(node.value);
        return "return";
      case "break":
      case "continue":
      case "halt":
        return node.kind;
    }
  }

  async #loop(node: Extract<Statement, { kind: "while" | "for" }>): Promise<Signal> {
    if (node.kind === "for" && node.start !== undefined) await this.#evaluator.value(node.start);
    while (node.test === undefined || (await this.#evaluator.test(node.test))) {
      const signal = await this.#statement(node.body);
      if (signal === "break") break;
      if (signal === "return" || signal === "halt") return signal;
      if (node.kind === "for" && node.step !== undefined) await this.#evaluator.value(node.step);
      await this.#pause();
    }
    return "next";
  }

  /** An assignment prints nothing; neither does a function without a value. */
  async #expression({ expr }: Extract<Statement, { kind: "expression" }>): Promise<void> {
    const { state, printer } = this.#options;
    const value = await this.#evaluator.value(expr);
    if (expr.kind === "assign") return;
    if (expr.kind === "call" && state.functions.get(expr.name)?.isVoid === true) return;
    state.last = value;
    printer.number(showNumber(value, state.obase));
    printer.text("\n");
  }

  async #print({ items }: Extract<Statement, { kind: "print" }>): Promise<void> {
    const { state, printer } = this.#options;
    for (const item of items) {
      if (typeof item === "string") {
        printer.text(readEscapes(item));
        continue;
      }
      const value = await this.#evaluator.value(item);
      state.last = value;
      printer.number(showNumber(value, state.obase));
    }
  }
}

const escapes = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["q", '"'],
  ["\\", "\\"],
]);

/** Other letters are left out with their backslash. */
function readEscapes(text: string): string {
  return text.replace(/\\([^])/g, (_whole, letter: string) => escapes.get(letter) ?? "");
}
