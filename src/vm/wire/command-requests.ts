/**
 * What a cell asks for host commands: one run is started, its events are waited for, its input is fed when
 * the host wants some. A quick command is one round trip, one that reads its input two.
 */
import type { Errno } from "../../kernel/index.ts";

export interface CommandMethods {
  /** A piece of a start that is too long for one body; `startCommand` brings the last. */
  putCommandStart: { params: { readonly run: number }; result: Record<string, never> };
  /**
   * A process of a host command begins. The body is texts that end with NUL: the working directory,
   * `words` arguments, then the environment. Answers as `nextCommandEvents` does, or as soon as input is wanted.
   */
  startCommand: {
    params: {
      /** What both sides call it, chosen by the cell and never used again. */
      readonly run: number;
      readonly name: string;
      readonly pid: number;
      readonly words: number;
      readonly terminal?: WireSize | undefined;
    };
    result: CommandEvents;
  };
  /** Waits until there is something. The body is the output of `parts`, one after the other. */
  nextCommandEvents: { params: { readonly run: number }; result: CommandEvents };
  /**
   * Input that the host wanted, or nothing; waits until the host wants more, or a setting changes, or the
   * run is over. `isEnd` is the end of input, `errno` a read that failed.
   */
  feedCommand: {
    params: {
      readonly run: number;
      readonly isEnd?: boolean | undefined;
      readonly errno?: Errno | undefined;
    };
    result: CommandFed;
  };
  /** What has happened to the process. One that is over already needs no telling. */
  tellCommand: {
    params: { readonly run: number; readonly news: CommandNews };
    result: Record<string, never>;
  };
}

export type CommandMethod = keyof CommandMethods;

export type CommandStream = "out" | "error";

export interface WireSize {
  readonly columns: number;
  readonly rows: number;
}

/** What the host's side of a run has asked for so far. */
export interface CommandSettings {
  /** Signals are caught and told of. */
  readonly listens: boolean;
}

/** Output for a stream, or what the terminal is from there on. */
export type CommandPart =
  | { readonly to: CommandStream; readonly bytes: number }
  | { readonly isRaw: boolean };

export interface CommandEvents extends CommandSettings {
  readonly parts: readonly CommandPart[];
  readonly wantsInput?: boolean;
  /** The last event; after it there is none. */
  readonly end?: CommandEnd;
}

/** The number of a signal, or a status. */
export type CommandEnd = { readonly status: number } | { readonly signal: number };

export interface CommandFed extends CommandSettings {
  readonly wantsInput: boolean;
  readonly isOver: boolean;
}

export type CommandNews =
  | { readonly type: "signal"; readonly signal: string }
  | { readonly type: "size"; readonly size: WireSize }
  /** A write failed: nothing more can be written there. */
  | { readonly type: "failed"; readonly to: CommandStream; readonly errno: Errno }
  | { readonly type: "gone" };

/** Words and environment of one process, both limits of the kernel and a working directory. */
export const START_LIMIT_BYTES = (2 << 20) + 8192;

/** The longest name: a file's first line, with what says that it is a host command. */
export const COMMAND_NAME_CHARACTERS = 64;

/** Of each run its events, its input, one piece of news and that it is gone are under way; one start is put. */
export function commandRequestsLimit(maxHostCommands: number): number {
  return 4 * maxHostCommands + 1;
}
