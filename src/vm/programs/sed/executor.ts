import { encodeText, type Sys } from "../../../kernel/index.ts";
import type { LineRegExp } from "../regexp/line-regexp.ts";
import { AppendQueue } from "./append-queue.ts";
import { type Action, type Command, SedError, type SedRegExp } from "./command.ts";
import type { PatternSpace } from "./pattern-space.ts";
import { type PrintParts, SpacePrinter } from "./print-space.ts";
import { runShell } from "./run-shell.ts";
import { firstRange, selects } from "./select.ts";
import { Spaces } from "./spaces.ts";
import { Substituter, translate } from "./substitute.ts";

export interface ExecutorOptions {
  readonly isQuiet: boolean;
  /** `N` without a next line ends without printing. */
  readonly dropsLastLine: boolean;
  readonly isUtf8: boolean;
  readonly isUnbuffered: boolean;
  readonly delimiter: number;
  /** Of `l`. */
  readonly width: number;
}

export interface ExecutorParts extends PrintParts {
  readonly sys: Sys;
  readonly commands: readonly Command[];
}

/** How a cycle goes on: undefined is the next command; a function is waited for first. */
type Outcome = undefined | "end" | "delete" | "restart" | "quit" | "leave" | (() => Promise<void>);

/** Actions that `#perform` leaves to `#performMore`. */
type MoreAction = Exclude<
  Action,
  { name: "s" | "{" | "}" | "b" | "t" | "T" | "a" | "c" | "q" | "Q" | "r" | "R" }
>;

/** Commands after which others may run. */
const COMMANDS_PER_TURN = 8192;

/** Runs a script over its input. */
export class Executor {
  readonly #parts: ExecutorParts;
  readonly #options: ExecutorOptions;
  readonly #spaces: Spaces;
  readonly #space: PatternSpace;
  readonly #printer: SpacePrinter;
  readonly #queue: AppendQueue;
  readonly #substituter: Substituter;
  #next = 0;
  #performed = 0;
  #isReplaced = false;
  #lastRegExp: LineRegExp | undefined;
  #status = 0;
  #isOver = false;
  #isRestarted = false;

  constructor(parts: ExecutorParts, options: ExecutorOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#spaces = new Spaces(options.delimiter);
    this.#space = this.#spaces.pattern;
    this.#printer = new SpacePrinter(this.#spaces, parts, options.width);
    this.#queue = new AppendQueue(parts.sys, options.delimiter);
    this.#substituter = new Substituter(options.isUtf8);
  }

  /** Answers sed's status. Fails with a SedError. */
  async run(): Promise<number> {
    while (!this.#isOver) {
      if (!this.#isRestarted && !(await this.#readLine())) break;
      this.#isRestarted = false;
      this.#next = 0;
      let outcome = this.#cycle();
      while (typeof outcome === "function") {
        await outcome();
        outcome = this.#cycle();
      }
      const finishing = this.#finish(outcome);
      if (finishing !== undefined) await finishing;
      if (this.#options.isUnbuffered || this.#parts.files.isFull) await this.#flush();
    }
    return this.#status;
  }

  async #readLine(): Promise<boolean> {
    const { input } = this.#parts;
    if (!input.isKnown) await this.#look();
    while (input.isLast) {
      await this.#flush();
      if (!(await input.nextFile())) return false;
      for (const command of this.#parts.commands) command.range = firstRange(command.from);
    }
    input.next(this.#space);
    this.#spaces.hasDelimiter = input.hasDelimiter;
    this.#isReplaced = false;
    return true;
  }

  async #look(): Promise<void> {
    this.#space.keep();
    await this.#flush();
    await this.#parts.input.look();
  }

  async #flush(): Promise<void> {
    await this.#parts.out().flush();
    await this.#parts.files.flush();
  }

  #cycle(): Outcome {
    const { commands } = this.#parts;
    while (this.#next < commands.length) {
      const command = commands[this.#next];
      if (command === undefined) break;
      this.#performed += 1;
      if (this.#performed > COMMANDS_PER_TURN) return () => this.#yieldTurn();
      if (needsLast(command) && !this.#parts.input.isKnown) return () => this.#look();
      this.#next += 1;
      const isSelected = command.from === undefined || this.#isSelected(command);
      if (isSelected === command.isNegated) {
        if (command.action.name === "{") this.#next = command.action.end + 1;
        continue;
      }
      const outcome = this.#perform(command.action, command);
      if (outcome !== undefined) return outcome;
    }
    return "end";
  }

  async #yieldTurn(): Promise<void> {
    this.#performed = 0;
    await this.#parts.sys.schedYield();
  }

  #isSelected(command: Command): boolean {
    const { input } = this.#parts;
    const matches = (regExp: SedRegExp) => this.#used(regExp).test(this.#space);
    return selects(command, { line: input.lineNumber, isLast: () => input.isLast, matches });
  }

  #used(regExp: SedRegExp): LineRegExp {
    const used = regExp ?? this.#lastRegExp;
    if (used === undefined)
      throw new SedError("-e expression #1, char 0: no previous regular expression");
    this.#lastRegExp = used;
    return used;
  }

  /** What remains of a cycle: a line is printed, what was put off follows. */
  #finish(outcome: Exclude<Outcome, () => Promise<void>>): Promise<void> | undefined {
    if (outcome === "quit" || outcome === "leave") this.#isOver = true;
    if (outcome === "leave") return undefined;
    this.#isRestarted = outcome === "restart";
    const isPrinted = outcome === "end" || outcome === "quit" || outcome === undefined;
    if (isPrinted && !this.#options.isQuiet) this.#printer.print();
    return this.#queue.isEmpty ? undefined : this.#queue.dump(this.#parts.out(), this.#parts.files);
  }

  #perform(action: Action, command: Command): Outcome {
    switch (action.name) {
      case "s":
        return this.#substitute(action.substitution);
      case "{":
      case "}":
        return undefined;
      case "b":
        this.#next = action.to;
        return undefined;
      case "t":
      case "T":
        if (this.#isReplaced === (action.name === "t")) this.#next = action.to;
        this.#isReplaced = false;
        return undefined;
      case "a":
        this.#queue.add({ text: action.text });
        return undefined;
      case "c": {
        const isInRange = command.to !== undefined && command.range === "open";
        if (!isInRange || command.isNegated) this.#parts.out().addBytes(action.text);
        return "delete";
      }
      case "q":
      case "Q":
        this.#status = action.number;
        return action.name === "q" ? "quit" : "leave";
      case "r":
        if (command.from?.kind === "line" && command.from.line === 0)
          return () => this.#queue.copyFile(action.file, this.#parts.out());
        this.#queue.add({ file: action.file });
        return undefined;
      case "R":
        this.#queue.add({ lineOf: action.file });
        return undefined;
      default:
        return this.#performMore(action);
    }
  }

  #performMore(action: MoreAction): Outcome {
    const space = this.#space;
    switch (action.name) {
      case "e":
        return () => this.#runCommand(action.command);
      case "y":
        translate(space, action.map);
        return undefined;
      case "i":
      case "w":
      case "W":
      case "l":
      case "=":
      case "F":
      case "p":
      case "P":
        this.#printer.perform(action);
        return undefined;
      case "n":
      case "N":
        return this.#readMore(action.name);
      case "d":
        return "delete";
      case "D":
        return this.#spaces.cutFirstLine() ? "restart" : "delete";
      default:
        this.#spaces.useHold(action.name);
        return undefined;
    }
  }

  #readMore(name: "n" | "N"): Outcome {
    const { input } = this.#parts;
    if (!input.isKnown || !this.#queue.isEmpty) {
      this.#next -= 1;
      return input.isKnown ? () => this.#dump(name) : () => this.#look();
    }
    if (input.isLast) return name === "N" && this.#options.dropsLastLine ? "delete" : "end";
    if (name === "n") {
      if (!this.#options.isQuiet) this.#printer.print();
      input.next(this.#space);
    } else {
      this.#space.append(Uint8Array.of(this.#options.delimiter));
      input.appendNext(this.#space);
    }
    this.#spaces.hasDelimiter = input.hasDelimiter;
    return undefined;
  }

  /** What was put off goes out before the next line is read, behind what `n` prints. */
  async #dump(name: "n" | "N"): Promise<void> {
    const { input } = this.#parts;
    if (input.isLast) {
      this.#next = this.#parts.commands.length;
      return;
    }
    if (name === "n" && !this.#options.isQuiet) this.#printer.print();
    await this.#queue.dump(this.#parts.out(), this.#parts.files);
    if (name === "N") return;
    this.#next += 1;
    input.next(this.#space);
    this.#spaces.hasDelimiter = input.hasDelimiter;
  }

  #substitute(substitution: Extract<Action, { name: "s" }>["substitution"]): Outcome {
    const regExp = this.#used(substitution.regExp);
    if (!this.#substituter.replace(this.#space, substitution, regExp)) return undefined;
    this.#isReplaced = true;
    if (substitution.runs) return () => this.#runReplaced(substitution);
    if (substitution.prints) this.#printer.print();
    if (substitution.file !== undefined) this.#printer.printTo(substitution.file);
    return undefined;
  }

  async #runReplaced({
    prints,
    file,
  }: Extract<Action, { name: "s" }>["substitution"]): Promise<void> {
    await this.#runSpace();
    if (prints) this.#printer.print();
    if (file !== undefined) this.#printer.printTo(file);
  }

  async #runSpace(): Promise<void> {
    await this.#flush();
    const made = await runShell(this.#parts.sys, this.#space.view());
    this.#space.set(made.at(-1) === this.#options.delimiter ? made.subarray(0, -1) : made);
  }

  async #runCommand(command: string): Promise<void> {
    if (command === "") {
      await this.#runSpace();
      return;
    }
    await this.#flush();
    this.#parts.out().addBytes(await runShell(this.#parts.sys, encodeText(command)));
  }
}

function needsLast({ from, to }: Command): boolean {
  return from?.kind === "last" || to?.kind === "last";
}
