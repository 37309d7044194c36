import { encodeText, isKernelError, type Sys, signals } from "../../../kernel/index.ts";
import type { SafeRegExp } from "../../programs/safe-regexp.ts";
import type { ArithmeticNode } from "../expansion/arithmetic-parser.ts";
import type { Command, FunctionDefinition, Script, Statement } from "../syntax/ast.ts";
import { JobTable } from "./job-table.ts";
import { ShellOptions } from "./options.ts";
import { Traps } from "./traps.ts";
import { Variables } from "./variables.ts";

/**
 * What runs commands, as expansion and builtins see it. They may not import it: a substitution runs
 * commands and a command makes substitutions.
 */
export interface Interpreter {
  runStatements(shell: Shell, statements: readonly Statement[]): Promise<number>;
  runCommand(shell: Shell, command: Command): Promise<number>;
  /** Runs a command given by its words: function, builtin or program, as `kinds` allows. */
  runWords(shell: Shell, words: readonly string[], kinds: CommandKinds): Promise<number>;
  /** Reads and runs source text in this shell. */
  runSource(shell: Shell, source: string, firstLine?: number): Promise<number>;
  /** The value of arithmetic text whose expansions are made. */
  evaluate(shell: Shell, text: string): bigint;
  /** Starts a subshell; resolves to its pid. */
  startSubshell(shell: Shell, options: SubshellOptions): Promise<number>;
}

export type CommandKinds = "all" | "no-functions" | "builtins";

export interface SubshellOptions {
  readonly run: (shell: Shell) => Promise<number>;
  /** What `run` runs, where it is statements: their last may take the process over. */
  readonly body?: readonly Statement[];
  readonly fds?: readonly FdAction[];
  readonly pgid?: number;
  readonly isForeground?: boolean;
  /** A background command without job control does not mind Ctrl-C. */
  readonly ignoresInterrupts?: boolean;
}

export type FdAction =
  | { readonly fd: number; readonly from: number }
  | { readonly fd: number; readonly close: true };

/** A function call or a sourced file that is running. */
export interface Frame {
  readonly kind: "function" | "source";
  readonly name: string;
  readonly callLine: number;
  /** The file its code is in. */
  readonly file: string;
}

export interface ShellStart {
  readonly sys: Sys;
  readonly interpreter: Interpreter;
  /** `$0`. */
  readonly name: string;
  readonly positional: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly pid: number;
}

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
  readonly traps: Traps;
  readonly jobs: JobTable;
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
  /** A line is being read at the prompt: Ctrl-C ends the reading. */
  isPrompting = false;
  /** What a builtin that waits for input does about caught signals; it may throw. */
  onSignal: (() => Promise<void>) | undefined;
  /** The source of the statement that runs, for messages about its job. */
  statementText = "";
  /** 0 in the shell itself. */
  subshellDepth = 0;
  /** The terminal of a shell with job control. */
  terminalFd: number | undefined;
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
  /** Milliseconds, for SECONDS. */
  startedMs = 0;
  depth = 0;
  /** Counts statements, to let others run now and then. */
  steps = 0;
  /** The command after which the process ends: a program may take the process over instead of a child. */
  finalCommand: Command | undefined;
  /** Where `getopts` is in its word, and the OPTIND it left. */
  getoptsOffset = 1;
  getoptsIndex = 1;
  readonly directoryStack: string[] = [];
  /** Ends of process substitutions, closed when the command that named them is done. */
  readonly substitutionFds: number[] = [];
  /** Complaints made where nothing can be written; said when the word they come from is expanded. */
  readonly notices: string[] = [];
  /** Traps that are running: they do not trap themselves. */
  readonly runningTraps = new Set<string>();
  /** Caught signals whose traps are still to run. */
  readonly pendingSignals: number[] = [];
  /** Values of variables that only the kernel knows, as last asked for. */
  readonly asked = new Map<string, string>();
  readonly arithmeticCache: Map<string, ArithmeticNode>;
  readonly patternCache: Map<string, SafeRegExp>;
  readonly sourceCache: Map<string, Script>;

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
    this.traps = parent?.traps.forSubshell() ?? new Traps();
    this.jobs = new JobTable();
    this.arithmeticCache = parent?.arithmeticCache ?? new Map();
    this.patternCache = parent?.patternCache ?? new Map();
    this.sourceCache = parent?.sourceCache ?? new Map();
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
    child.startLetters = this.startLetters;
    child.errexitGuards = this.errexitGuards;
    child.startedMs = this.startedMs;
    child.depth = this.depth;
    child.getoptsOffset = this.getoptsOffset;
    child.getoptsIndex = this.getoptsIndex;
    child.directoryStack.push(...this.directoryStack);
    return child;
  }

  /** The file whose code runs: a sourced one, or the script. */
  get sourceName(): string {
    return this.frames.findLast((frame) => frame.kind === "source")?.name ?? this.name;
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
      ? [...this.traps.caughtSignals, signals.SIGINT]
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
    const source = this.frames.findLast((frame) => frame.kind === "source");
    const name = source?.name ?? this.name;
    return this.isInteractive && source === undefined
      ? `${name}: `
      : `${name}: line ${this.line}: `;
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
