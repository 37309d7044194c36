/** find's expression: parsed into tests and actions that are asked of each file. */
import { isKernelError, R_OK, type Stat, W_OK, X_OK } from "../../kernel/index.ts";
import { compilePattern, makeRegExp } from "../shell/expansion/pattern.ts";
import { readDirectory } from "./directory.ts";
import { changeMode } from "./file-mode.ts";
import { FindActions } from "./find-actions.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { translateRegExp } from "./posix-regexp.ts";
import { quoteName, type Run } from "./program.ts";

export interface FindFile {
  readonly path: string;
  readonly name: string;
  readonly stat: Stat;
  readonly depth: number;
  /** Set by `-prune`: the directory is not entered. */
  isPruned: boolean;
}

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

type Test = (file: FindFile) => boolean | Promise<boolean>;

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

const kinds = new Map<string, Stat["kind"]>([
  ["f", "file"],
  ["d", "directory"],
  ["l", "symlink"],
  ["p", "fifo"],
  ["c", "device"],
  ["s", "socket"],
]);

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
      (await this.#nameTest(word)) ??
      (await this.#statTest(word)) ??
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

  async #nameTest(word: string): Promise<Test | undefined> {
    switch (word) {
      case "-name":
      case "-iname": {
        const regExp = compilePattern(this.#value(word), { ignoreCase: word === "-iname" });
        return (file) => regExp.test(file.name === "" ? "/" : file.name);
      }
      case "-path":
      case "-wholename":
      case "-ipath": {
        const regExp = compilePattern(this.#value(word), { ignoreCase: word === "-ipath" });
        return (file) => regExp.test(file.path);
      }
      case "-regex":
      case "-iregex": {
        const source = translateRegExp(this.#value(word), { syntax: "basic" });
        const regExp = makeRegExp(`^(?:${source})$`, word === "-iregex");
        return (file) => regExp.test(file.path);
      }
      case "-regextype":
        this.#value(word);
        return always;
      case "-lname": {
        const regExp = compilePattern(this.#value(word));
        return async (file) =>
          file.stat.kind === "symlink" && regExp.test(await this.#run.sys.readlink(file.path));
      }
      default:
        return undefined;
    }
  }

  async #statTest(word: string): Promise<Test | undefined> {
    const { nowMs, names } = this.#around;
    switch (word) {
      case "-type":
      case "-xtype": {
        const wanted = this.#value(word)
          .split(",")
          .map((letter) => kinds.get(letter));
        if (wanted.includes(undefined))
          throw new UsageError(`Unknown argument to ${word}: ${this.#words[this.#at - 1]}`, {
            hasHint: false,
          });
        return (file) => wanted.includes(file.stat.kind);
      }
      case "-empty":
        return (file) => this.#isEmpty(file);
      case "-size":
        return this.#sizeTest(word);
      case "-mtime":
      case "-atime":
      case "-ctime":
      case "-mmin":
      case "-amin":
      case "-cmin":
        return ageTest(word, this.#value(word), nowMs);
      case "-newer": {
        const { mtimeMs } = await this.#run.sys.stat(this.#value(word));
        return (file) => file.stat.mtimeMs > mtimeMs;
      }
      case "-perm":
        return permissionTest(this.#value(word));
      case "-links":
        return numberTest(this.#value(word), (file) => file.stat.nlink);
      case "-inum":
        return numberTest(this.#value(word), (file) => file.stat.ino);
      case "-uid":
        return numberTest(this.#value(word), (file) => file.stat.uid);
      case "-gid":
        return numberTest(this.#value(word), (file) => file.stat.gid);
      case "-user": {
        const value = this.#value(word);
        const uid = (await names.findUser(value))?.uid ?? Number(value);
        if (Number.isNaN(uid))
          throw new UsageError(`${quoteName(value)} is not the name of a known user`, {
            hasHint: false,
          });
        return (file) => file.stat.uid === uid;
      }
      case "-group": {
        const value = this.#value(word);
        const gid = (await names.findGroup(value))?.gid ?? Number(value);
        return (file) => file.stat.gid === gid;
      }
      case "-readable":
        return (file) => this.#canAccess(file, R_OK);
      case "-writable":
        return (file) => this.#canAccess(file, W_OK);
      case "-executable":
        return (file) => this.#canAccess(file, X_OK);
      default:
        return undefined;
    }
  }

  #sizeTest(word: string): Test {
    const match = /^([-+]?)(\d+)([cwbkMG]?)$/.exec(this.#value(word));
    if (match === null)
      throw new UsageError(`Invalid argument \`${this.#words[this.#at - 1]}' to ${word}`, {
        hasHint: false,
      });
    const unit =
      { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }[match[3] || "b"] ?? 512;
    return numberTest(`${match[1]}${match[2]}`, (file) => Math.ceil(file.stat.size / unit));
  }

  async #isEmpty(file: FindFile): Promise<boolean> {
    if (file.stat.kind === "file") return file.stat.size === 0;
    if (file.stat.kind !== "directory") return false;
    return (await readDirectory(this.#run.sys, file.path)).length === 0;
  }

  async #canAccess(file: FindFile, mode: number): Promise<boolean> {
    try {
      await this.#run.sys.access(file.path, mode);
      return true;
    } catch (error) {
      if (isKernelError(error)) return false;
      throw error;
    }
  }
}

/** `5`, `+5` (more) or `-5` (less). */
function numberTest(text: string, value: (file: FindFile) => number): Test {
  const match = /^([-+]?)(\d+)$/.exec(text);
  if (match === null) throw new UsageError(`invalid argument \`${text}'`, { hasHint: false });
  const wanted = Number(match[2]);
  if (match[1] === "+") return (file) => value(file) > wanted;
  if (match[1] === "-") return (file) => value(file) < wanted;
  return (file) => value(file) === wanted;
}

function ageTest(word: string, text: string, nowMs: number): Test {
  const unitMs = word.endsWith("min") ? 60_000 : 86_400_000;
  const which = word.charAt(1);
  return numberTest(text, ({ stat }) => {
    const timeMs = which === "a" ? stat.atimeMs : which === "c" ? stat.ctimeMs : stat.mtimeMs;
    const age = (nowMs - timeMs) / unitMs;
    return word.endsWith("min") ? Math.ceil(age) : Math.floor(age);
  });
}

/** `mode` exactly, `-mode` all of it, `/mode` any of it. */
function permissionTest(text: string): Test {
  const kind = /^[-/]/.exec(text)?.[0];
  const mode = changeMode(
    { mode: 0, isDirectory: false, umask: 0 },
    kind === undefined ? text : text.slice(1),
  );
  if (mode === undefined)
    throw new UsageError(`invalid mode ${quoteName(text)}`, { hasHint: false });
  if (kind === "-") return ({ stat }) => (stat.mode & mode) === mode;
  if (kind === "/") return ({ stat }) => mode === 0 || (stat.mode & mode) !== 0;
  return ({ stat }) => stat.mode === mode;
}
