import {
  encodeText,
  isKernelError,
  type Sys,
  signals,
  type Termios,
} from "../../../kernel/index.ts";
import type { TextRegExp } from "../../programs/regexp/text-regexp.ts";
import type { SafeRegExp } from "../../programs/safe-regexp.ts";
import { Completions } from "../completion/completion-spec.ts";
import type { ArithmeticNode } from "../expansion/arithmetic-node.ts";
import { History } from "../history/history.ts";
import { KeyBindings } from "../line-editor/key-bindings.ts";
import type { Command, FunctionDefinition, Script } from "../syntax/ast.ts";
import { connectDynamic, seedDynamic } from "./dynamic-variables.ts";
import type { Frame, Interpreter, ShellStart } from "./interpreter.ts";
import { JobTable } from "./job-table.ts";
import { ShellOptions } from "./options.ts";
import type { Limit } from "./process-limits.ts";
import { Traps } from "./traps.ts";
import { Variables } from "./variables.ts";

export type {
  CommandKinds,
  FdAction,
  Frame,
  Interpreter,
  SubshellOptions,
} from "./interpreter.ts";

/** Deeper function calls, sources and substitutions than this end the command with an error. */
export const DEPTH_LIMIT = 4096;

/** How many parsed texts a shell remembers. */
const CACHE_LIMIT = 512;

/** One shell: everything a subshell copies, and the process it runs in. */
export class Shell {
  /** The process it runs in. */
  sys: Sys;
  readonly interpreter: Interpreter;
  readonly variables: Variables;
  readonly options: ShellOptions;
  readonly functions: Map<string, FunctionDefinition>;
  readonly aliases: Map<string, string>;
  /** Commands' paths found in PATH, as PATH was then. */
  readonly hash: Map<string, string>;
  hashedPath: string | undefined;
  /** How often a program was run from where it was found. */
  readonly hashHits = new Map<string, number>();
  readonly traps: Traps;
  readonly jobs: JobTable;
  /** The coprocesses that run, by pid. */
  readonly coprocesses = new Map<
    number,
    { readonly name: string; readonly fds: readonly number[] }
  >();
  readonly history: History;
  readonly completions: Completions;
  /** Lines are read by the line editor. */
  isEditing = false;
  #keyBindings: KeyBindings | undefined;
  readonly frames: Frame[] = [];
  name: string;
  positional: readonly string[];
  /** `$$`: the shell's pid, also in its subshells. */
  readonly pid: number;
  status = 0;
  pipeStatus: readonly number[] = [];
  lastBackgroundPid: number | undefined;
  line = 1;
  isInteractive = false;
  /** Whoever leaves has been told of the stopped jobs. */
  isExitWarned = false;
  /** A line is being read at the prompt: Ctrl-C ends the reading. */
  isPrompting = false;
  /** What a builtin that waits for input does about caught signals; it may throw. */
  onSignal: (() => Promise<void>) | undefined;
  /** 0 in the shell itself. */
  subshellDepth = 0;
  /** The shell itself, or one that runs a single simple command of it: errors leave both the same way. */
  leavesAsMain = true;
  /** How many substitutions, `eval`s, sources and traps deep commands are read, for `set -x`. */
  traceDepth = 0;
  /** The command that runs, for BASH_COMMAND. */
  command: Command | string | undefined;
  /** Lines of commands read so far. */
  commandNumber = 0;
  /** Names of builtins that `enable -n` has turned off. */
  readonly disabledBuiltins = new Set<string>();
  /** The terminal of a shell with job control. */
  terminalFd: number | undefined;
  /** The terminal's settings as the last command that ended by itself left them. */
  terminalMode: Termios | undefined;
  /** Signals an interactive shell ignores and its children do not. */
  interactiveSignals: readonly number[] = [];
  /** The letters of `$-` that tell how the shell was started: `c`, `s`, `i`. */
  startLetters = "";
  /** Loops that `break` and `continue` can leave. */
  loopDepth = 0;
  /** Above 0 a failing command does not end the shell under `set -e`. */
  errexitGuards = 0;
  /** A compound command did not run for want of a redirection: a failure of its own. */
  hasRedirectFailed = false;
  /** The status of the last command substitution of the command at hand. */
  substitutionStatus: number | undefined;
  /** SECONDS counts from this time and this number; the clock as last asked. */
  startedMs = 0;
  secondsBase = 0;
  clockMs = 0;
  /** RANDOM's generator, for the subshell that seeded it. */
  random: { seed: number; last: number; readonly depth: number } | undefined;
  /** The last word of the last simple command: `$_`. */
  lastArgument = "";
  /** The positional parameters at the start, for BASH_ARGV. */
  startPositional: readonly string[] = [];
  /** Options that SHELLOPTS and BASHOPTS in the environment turn on. */
  startOptions: readonly string[] = [];
  /** As `ulimit` has set them; undefined until it is asked. */
  limits: Map<string, Limit> | undefined;
  /** Subscripts whose expansions are made, for a second try; see `subscript.ts`. */
  readonly subscripts = new Map<string, string>();
  depth = 0;
  /** Counts statements, to let others run now and then. */
  steps = 0;
  /** The command after which the process ends: a program may take the process over instead of a child. */
  finalCommand: Command | undefined;
  /** Where `getopts` is in its word, and the OPTIND it left. */
  getoptsOffset = 1;
  getoptsIndex = 1;
  readonly directoryStack: string[] = [];
  /** The working directory as `cd` left it, whatever PWD says; undefined before the first `cd`. */
  directory: string | undefined;
  /** Ends of process substitutions, closed when the command that named them is done. */
  readonly substitutionFds: number[] = [];
  /** Complaints made where nothing can be written; said when the word they come from is expanded. */
  readonly notices: string[] = [];
  /** Traps that are running: they do not trap themselves. */
  readonly runningTraps = new Set<string>();
  /** `$?` as it was when the trap that runs began: what `return` and `exit` answer in it. */
  trapStatus: number | undefined;
  /** Caught signals whose traps are still to run. */
  readonly pendingSignals: number[] = [];
  /** Values of variables that only the kernel knows, as last asked for. */
  readonly asked = new Map<string, string>();
  readonly arithmeticCache: Map<string, ArithmeticNode>;
  readonly patternCache: Map<string, SafeRegExp>;
  readonly regExpCache: Map<string, TextRegExp>;
  readonly sourceCache: Map<string, Script>;
  /** Texts as lines of commands. */
  readonly unitCache: Map<string, readonly Script[]>;

  constructor(start: ShellStart, parent?: Shell) {
    this.sys = start.sys;
    this.interpreter = start.interpreter;
    this.name = start.name;
    this.positional = start.positional;
    this.pid = start.pid;
    this.variables = parent?.variables.copy() ?? new Variables(start.environment);
    this.options = parent?.options.copy() ?? new ShellOptions();
    this.functions = new Map(parent?.functions);
    this.aliases = new Map(parent?.aliases);
    this.hash = new Map(parent?.hash);
    this.traps = parent?.traps.forSubshell(parent.options) ?? new Traps();
    this.jobs = parent?.jobs.copy() ?? new JobTable();
    this.history = parent?.history.copy() ?? new History();
    this.completions = parent?.completions.copy() ?? new Completions();
    this.#keyBindings = parent === undefined ? undefined : parent.#keyBindings;
    if (parent === undefined) seedDynamic(this);
    else connectDynamic(this);
    this.arithmeticCache = parent?.arithmeticCache ?? new Map();
    this.patternCache = parent?.patternCache ?? new Map();
    this.regExpCache = parent?.regExpCache ?? new Map();
    this.sourceCache = parent?.sourceCache ?? new Map();
    this.unitCache = parent?.unitCache ?? new Map();
  }

  /** A subshell's state as of now; its process gives it its own `sys`. */
  fork(): Shell {
    const { sys, interpreter, name, positional, pid } = this;
    const child = new Shell(
      { sys, interpreter, name, positional, environment: new Map(), pid },
      this,
    );
    child.frames.push(...this.frames);
    child.status = this.status;
    child.pipeStatus = this.pipeStatus;
    child.lastBackgroundPid = this.lastBackgroundPid;
    child.line = this.line;
    child.subshellDepth = this.subshellDepth + 1;
    child.leavesAsMain = false;
    child.traceDepth = this.traceDepth;
    child.command = this.command;
    child.commandNumber = this.commandNumber;
    for (const name of this.disabledBuiltins) child.disabledBuiltins.add(name);
    child.startLetters = this.startLetters;
    child.errexitGuards = this.errexitGuards;
    child.startedMs = this.startedMs;
    child.secondsBase = this.secondsBase;
    child.limits = this.limits && new Map(this.limits);
    child.lastArgument = this.lastArgument;
    child.startPositional = this.startPositional;
    child.depth = this.depth;
    child.getoptsOffset = this.getoptsOffset;
    child.getoptsIndex = this.getoptsIndex;
    child.directoryStack.push(...this.directoryStack);
    child.directory = this.directory;
    return child;
  }

  get keyBindings(): KeyBindings {
    this.#keyBindings ??= new KeyBindings();
    return this.#keyBindings;
  }

  /** The file whose code runs: a sourced one, or the script. */
  get sourceName(): string {
    const source = this.frames.findLast((frame) => frame.kind === "source");
    if (source !== undefined) return source.name;
    if (this.startLetters.includes("c")) return "environment";
    return this.startLetters === "" ? this.name : "main";
  }

  /** The status of a shell that an unset variable ends: bash -c leaves with another, but for `set -e`. */
  get fatalStatus(): number {
    const isCommandString = this.startLetters.includes("c") && this.leavesAsMain;
    return isCommandString && !this.options.has("errexit") ? 127 : 1;
  }

  get isInFunction(): boolean {
    return this.frames.some((frame) => frame.kind === "function");
  }

  /** Writes all of `text`. */
  async write(fd: number, text: string): Promise<void> {
    const bytes = encodeText(text);
    let done = 0;
    while (done < bytes.length) {
      const rest = done === 0 ? bytes : bytes.subarray(done);
      done += await this.retry(() => this.sys.write(fd, rest));
    }
  }

  /** Makes a call again that a caught signal has interrupted; the signal's trap runs later. */
  async retry<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        const isAgain = isKernelError(error, "EINTR") && (await this.collectSignals());
        if (!isAgain || this.isPrompting) throw error;
        await this.onSignal?.();
      }
    }
  }

  /** Takes the caught signals that have come; answers whether there are any. */
  async collectSignals(): Promise<boolean> {
    const caughtSignals = this.isInteractive
      ? [...this.traps.caughtSignals, signals.SIGINT, signals.SIGHUP]
      : this.traps.caughtSignals;
    if (caughtSignals.length === 0) return false;
    for (;;) {
      const signal = await this.sys.sigtimedwait(caughtSignals, 0);
      if (signal === undefined) return this.pendingSignals.length > 0;
      this.pendingSignals.push(signal);
    }
  }

  /** Says `name: line N: message` on fd 2. A closed fd 2 is no reason to fail. */
  async complain(message: string): Promise<void> {
    if (message === "") return;
    try {
      await this.write(2, `${this.errorPrefix()}${message}\n`);
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }

  async sayNotices(): Promise<void> {
    for (const notice of this.notices.splice(0)) await this.complain(notice);
  }

  errorPrefix(): string {
    const frame = this.frames.at(-1);
    const isSourced = this.frames.some(({ kind }) => kind === "source");
    if (this.isInteractive && !isSourced) return `${this.name}: `;
    const file = frame?.kind === "source" ? frame.name : frame?.file;
    return `${file ?? this.name}: line ${this.line}: `;
  }

  /** Remembers what is costly to make from `key`, for as long as there is room. */
  remember<T>(cache: Map<string, T>, key: string, make: (key: string) => T): T {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(key, made);
    return made;
  }
}
