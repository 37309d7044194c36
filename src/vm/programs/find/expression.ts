/** find's expression: parsed into tests and actions that are asked of each file. */
import { whenAnswered } from "../../../kernel/index.ts";
import { TOO_DEEP } from "../memory-limit.ts";
import { NameDatabase } from "../name-database.ts";
import { UsageError } from "../options.ts";
import { quoteName, type Run } from "../program.ts";
import { FindActions } from "./actions.ts";
import { parseAction } from "./parse-action.ts";
import type { ParserState, Test } from "./test.ts";
import { findTest } from "./tests.ts";
import { FindWords } from "./words.ts";

export interface FindOptions {
  maxDepth: number;
  minDepth: number;
  isDepthFirst: boolean;
  /** `-follow`, as -L. */
  isFollowing: boolean;
  /** `-xdev`. */
  staysOnDevice: boolean;
}

/** A whole expression, with `-print` added where it has no action. */
export interface FindTest {
  readonly options: Readonly<FindOptions>;
  readonly test: Test;
  isQuit(): boolean;
  hasFailed(): boolean;
  /** Runs what `-exec … +` has gathered. */
  finish(): Promise<void>;
}

export async function parseExpression(
  run: Run,
  words: readonly string[],
  nowMs: number,
): Promise<FindTest> {
  const actions = new FindActions(run);
  const parser = new ExpressionParser(run, words, {
    actions,
    nowMs,
    names: new NameDatabase(run.sys),
  });
  const test = await parser.parse();
  const whole: Test = parser.hasAction
    ? test
    : (file) => whenAnswered(test(file), (isTrue) => isTrue && actions.print(file, "\n", run.out));
  return {
    options: parser.options,
    test: whole,
    isQuit: () => actions.isQuit,
    hasFailed: () => actions.hasFailed,
    finish: () => actions.finish(),
  };
}

interface Surroundings {
  readonly actions: FindActions;
  readonly nowMs: number;
  readonly names: NameDatabase;
}

/** Parentheses and negations within each other. */
const DEPTH_LIMIT = 500;

const always: Test = () => true;

class ExpressionParser {
  readonly options: FindOptions = {
    maxDepth: Number.POSITIVE_INFINITY,
    minDepth: 0,
    isDepthFirst: false,
    isFollowing: false,
    staysOnDevice: false,
  };
  hasAction = false;
  readonly #run: Run;
  readonly #words: FindWords;
  readonly #around: Surroundings;
  #depth = 0;
  readonly #state: ParserState = { syntax: "emacs", isFromDayStart: false };

  constructor(run: Run, words: readonly string[], around: Surroundings) {
    this.#run = run;
    this.#words = new FindWords(words);
    this.#around = around;
  }

  async parse(): Promise<Test> {
    if (this.#words.isAtEnd) return always;
    const test = await this.#comma();
    const rest = this.#words.next;
    if (rest === ")") throw new UsageError("you have too many ')'", { hasHint: false });
    if (rest !== undefined)
      throw new UsageError(`paths must precede expression: \`${rest}'`, { hasHint: false });
    return test;
  }

  async #comma(): Promise<Test> {
    let left = await this.#or();
    while (this.#words.accept(",")) {
      const before = left;
      const right = await this.#or();
      left = (file) => whenAnswered(before(file), () => right(file));
    }
    return left;
  }

  async #or(): Promise<Test> {
    let left = await this.#and();
    while (this.#words.accept("-o", "-or")) {
      const before = left;
      const right = await this.#and();
      left = (file) => whenAnswered(before(file), (isTrue) => isTrue || right(file));
    }
    return left;
  }

  async #and(): Promise<Test> {
    let left = await this.#not();
    for (;;) {
      const isJoined = this.#words.accept("-a", "-and");
      const next = this.#words.next;
      if (
        !isJoined &&
        (next === undefined || next === ")" || next === "," || next === "-o" || next === "-or")
      )
        return left;
      const before = left;
      const right = await this.#not();
      left = (file) => whenAnswered(before(file), (isTrue) => isTrue && right(file));
    }
  }

  async #not(): Promise<Test> {
    if (++this.#depth > DEPTH_LIMIT) throw new UsageError(TOO_DEEP, { hasHint: false });
    const test = await this.#negated();
    this.#depth -= 1;
    return test;
  }

  async #negated(): Promise<Test> {
    const word = this.#words.next ?? "";
    if (!this.#words.accept("!", "-not")) return this.#primary();
    if (this.#words.isAtEnd)
      throw new UsageError(`expected an expression after '${word}'`, { hasHint: false });
    const test = await this.#not();
    return (file) => whenAnswered(test(file), (isTrue) => !isTrue);
  }

  async #primary(): Promise<Test> {
    const word = this.#words.next;
    if (word === undefined) {
      const before = this.#words.previous ?? "";
      throw new UsageError(`expected an expression after '${before}'`, { hasHint: false });
    }
    this.#words.skip();
    if (["-o", "-or", "-a", "-and", ","].includes(word))
      throw new UsageError(
        `invalid expression; you have used a binary operator '${word}' with nothing before it.`,
        { hasHint: false },
      );
    if (word === ")")
      throw new UsageError(
        this.#words.isFirst
          ? "you have too many ')'"
          : "invalid expression; empty parentheses are not allowed.",
        { hasHint: false },
      );
    if (word === "(") {
      const test = await this.#comma();
      if (!this.#words.accept(")"))
        throw new UsageError(
          "invalid expression; I was expecting to find a ')' somewhere but did not see one.",
          { hasHint: false },
        );
      return test;
    }
    return (
      (await this.#option(word)) ??
      (await parseAction(word, {
        actions: this.#around.actions,
        words: this.#words,
        options: this.options,
        noteAction: () => {
          this.hasAction = true;
        },
      })) ??
      (await findTest(word, {
        run: this.#run,
        ...this.#around,
        state: this.#state,
        value: () => this.#words.value(word),
      })) ??
      this.#unknown(word)
    );
  }

  #unknown(word: string): never {
    if (!word.startsWith("-"))
      throw new UsageError(`paths must precede expression: \`${word}'`, { hasHint: false });
    throw new UsageError(`unknown predicate \`${word}'`, { hasHint: false });
  }

  async #option(word: string): Promise<Test | undefined> {
    switch (word) {
      case "-maxdepth":
      case "-mindepth": {
        const value = this.#words.value(word);
        if (!/^\d+$/.test(value))
          throw new UsageError(
            `Expected a positive decimal integer argument to ${word}, but got ${quoteName(value)}`,
            { hasHint: false },
          );
        if (word === "-maxdepth") this.options.maxDepth = Number(value);
        else this.options.minDepth = Number(value);
        return always;
      }
      case "-depth":
      case "-d":
        this.options.isDepthFirst = true;
        return always;
      case "-follow":
        this.options.isFollowing = true;
        return always;
      case "-daystart":
        this.#state.isFromDayStart = true;
        return always;
      case "-xdev":
      case "-mount":
        this.options.staysOnDevice = true;
        return always;
      case "-noleaf":
      case "-warn":
      case "-nowarn":
      case "-ignore_readdir_race":
      case "-noignore_readdir_race":
      case "-true":
        return always;
      case "-false":
        return () => false;
      default:
        return undefined;
    }
  }
}
