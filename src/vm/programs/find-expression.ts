/** find's expression: parsed into tests and actions that are asked of each file. */
import { FindActions } from "./find-actions.ts";
import type { FindFile } from "./find-file.ts";
import { findTest, type Test } from "./find-tests.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { quoteName, type Run } from "./program.ts";

export interface FindOptions {
  maxDepth: number;
  minDepth: number;
  isDepthFirst: boolean;
}

/** A whole expression, with `-print` added where it has no action. */
export interface FindTest {
  readonly options: Readonly<FindOptions>;
  test(file: FindFile): Promise<boolean>;
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
    : async (file) => {
        const isTrue = await test(file);
        return isTrue ? actions.print(file, "\n") : false;
      };
  return {
    options: parser.options,
    test: async (file) => whole(file),
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

const always: Test = () => true;

class ExpressionParser {
  readonly options: FindOptions = {
    maxDepth: Number.POSITIVE_INFINITY,
    minDepth: 0,
    isDepthFirst: false,
  };
  hasAction = false;
  readonly #run: Run;
  readonly #words: readonly string[];
  readonly #around: Surroundings;
  #at = 0;

  constructor(run: Run, words: readonly string[], around: Surroundings) {
    this.#run = run;
    this.#words = words;
    this.#around = around;
  }

  async parse(): Promise<Test> {
    if (this.#words.length === 0) return always;
    const test = await this.#comma();
    const rest = this.#words[this.#at];
    if (rest === ")")
      throw new UsageError(
        "invalid expression; you have used a binary operator '-o' with nothing before it.".replace(
          /you have.*$/,
          "you have too many ')'",
        ),
        { hasHint: false },
      );
    if (rest !== undefined)
      throw new UsageError(`paths must precede expression: \`${rest}'`, { hasHint: false });
    return test;
  }

  #accept(...words: readonly string[]): boolean {
    if (!words.includes(this.#words[this.#at] ?? "")) return false;
    this.#at += 1;
    return true;
  }

  async #comma(): Promise<Test> {
    let left = await this.#or();
    while (this.#accept(",")) {
      const before = left;
      const right = await this.#or();
      left = async (file) => {
        await before(file);
        return right(file);
      };
    }
    return left;
  }

  async #or(): Promise<Test> {
    let left = await this.#and();
    while (this.#accept("-o", "-or")) {
      const before = left;
      const right = await this.#and();
      left = async (file) => (await before(file)) || right(file);
    }
    return left;
  }

  async #and(): Promise<Test> {
    let left = await this.#not();
    for (;;) {
      const isJoined = this.#accept("-a", "-and");
      const next = this.#words[this.#at];
      if (
        !isJoined &&
        (next === undefined || next === ")" || next === "," || next === "-o" || next === "-or")
      )
        return left;
      const before = left;
      const right = await this.#not();
      left = async (file) => (await before(file)) && right(file);
    }
  }

  async #not(): Promise<Test> {
    if (!this.#accept("!", "-not")) return this.#primary();
    const test = await this.#not();
    return async (file) => !(await test(file));
  }

  async #primary(): Promise<Test> {
    const word = this.#words[this.#at];
    if (word === undefined) throw new UsageError("expected an expression", { hasHint: false });
    this.#at += 1;
    if (word === "(") {
      const test = await this.#comma();
      if (!this.#accept(")"))
        throw new UsageError(
          "invalid expression; I was expecting to find a ')' somewhere but did not see one.",
          { hasHint: false },
        );
      return test;
    }
    return (
      (await this.#option(word)) ??
      this.#action(word) ??
      (await findTest(word, { run: this.#run, ...this.#around, value: () => this.#value(word) })) ??
      this.#unknown(word)
    );
  }

  #unknown(word: string): never {
    if (!word.startsWith("-"))
      throw new UsageError(`paths must precede expression: \`${word}'`, { hasHint: false });
    throw new UsageError(`unknown predicate \`${word}'`, { hasHint: false });
  }

  #value(word: string): string {
    const value = this.#words[this.#at];
    if (value === undefined)
      throw new UsageError(`missing argument to \`${word}'`, { hasHint: false });
    this.#at += 1;
    return value;
  }

  async #option(word: string): Promise<Test | undefined> {
    switch (word) {
      case "-maxdepth":
      case "-mindepth": {
        const value = this.#value(word);
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
      case "-xdev":
      case "-mount":
      case "-noleaf":
      case "-true":
        return always;
      case "-false":
        return () => false;
      default:
        return undefined;
    }
  }

  #action(word: string): Test | undefined {
    const { actions } = this.#around;
    switch (word) {
      case "-print":
      case "-print0":
        this.hasAction = true;
        return (file) => actions.print(file, word === "-print" ? "\n" : "\0");
      case "-printf": {
        this.hasAction = true;
        const format = this.#value(word);
        return (file) => actions.printFormat(file, format);
      }
      case "-ls":
        this.hasAction = true;
        return (file) => actions.printFormat(file, "%i %b %M %n %u %g %s %Tb %Td %TH:%TM %p\n");
      case "-delete":
        this.hasAction = true;
        this.options.isDepthFirst = true;
        return (file) => actions.delete(file);
      case "-quit":
        this.hasAction = true;
        return () => actions.quit();
      case "-prune":
        return (file) => {
          file.isPruned = true;
          return true;
        };
      case "-exec":
      case "-execdir":
      case "-ok":
        this.hasAction = true;
        return this.#exec(word);
      default:
        return undefined;
    }
  }

  #exec(word: string): Test {
    const { actions } = this.#around;
    const command: string[] = [];
    for (;;) {
      const next = this.#words[this.#at];
      if (next === undefined)
        throw new UsageError(`missing argument to \`${word}'`, { hasHint: false });
      this.#at += 1;
      if (next === ";") break;
      if (next === "+" && command.at(-1) === "{}") return actions.gather(command.slice(0, -1));
      command.push(next);
    }
    if (command.length === 0)
      throw new UsageError(`invalid argument \`;' to \`${word}'`, { hasHint: false });
    return (file) =>
      actions.execute(file, command, {
        isAsked: word === "-ok",
        isInDirectory: word === "-execdir",
      });
  }
}
