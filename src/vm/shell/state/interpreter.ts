import type { Sys } from "../../../kernel/index.ts";
import type { Command, Statement } from "../syntax/ast.ts";
import type { Shell } from "./shell.ts";
import type { SubscriptKind } from "./subscript.ts";

/**
 * What runs commands, as expansion and builtins see it. They may not import it: a substitution runs
 * commands and a command makes substitutions.
 */
export interface Interpreter {
  runStatements(shell: Shell, statements: readonly Statement[]): Promise<number>;
  runCommand(shell: Shell, command: Command): Promise<number>;
  /** Runs a command given by its words: function, builtin or program, as `kinds` allows. */
  runWords(
    shell: Shell,
    words: readonly string[],
    kinds: CommandKinds,
    /** Where a program is looked for; PATH without it. */
    searchPath?: string,
  ): Promise<number>;
  /** Reads and runs source text in this shell. */
  runSource(shell: Shell, source: string, firstLine?: number, label?: string): Promise<number>;
  /** The value of arithmetic text whose expansions are made. */
  evaluate(shell: Shell, text: string): bigint;
  /** Makes the expansions of a subscript that comes as text. */
  expandSubscript(shell: Shell, text: string, kind: SubscriptKind): Promise<string>;
  /** A prompt's text with its escapes and expansions made. */
  expandPrompt(shell: Shell, text: string): Promise<string>;
  /** Starts a subshell; resolves to its pid. */
  startSubshell(shell: Shell, options: SubshellOptions): Promise<number>;
}

export type CommandKinds = "all" | "no-functions" | "builtins";

export interface SubshellOptions {
  readonly run: (shell: Shell) => Promise<number>;
  /** What `run` runs, where it is statements: their last may take the process over. */
  readonly body?: readonly Statement[];
  /** `run` runs one simple command: what bash forks for without a subshell around it. */
  readonly isSimpleCommand?: boolean;
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
  /** Its arguments, for BASH_ARGV. */
  readonly args?: readonly string[];
}

/** What a shell begins with. */
export interface ShellStart {
  readonly sys: Sys;
  readonly interpreter: Interpreter;
  /** `$0`. */
  readonly name: string;
  readonly positional: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly pid: number;
}
