/**
 * A command of a VM that the host runs: a process of the VM like any other, whose body is elsewhere. Its
 * input, output, signals and status are a Unix command's, so it stands anywhere in a pipeline.
 */
export interface HostCommand {
  /** What it is called in the VM: a program of /usr/local/bin. */
  readonly name: string;
  /** One line for `--help` of who lists commands. */
  readonly description: string;
  /**
   * Runs to its end and answers the exit status, 0 to 255, or the signal that the process is to die
   * of. Whatever it throws becomes a message on stderr and the status 1; a HostCommandError chooses its
   * own. A KernelError EPIPE that it lets out ends the process by SIGPIPE, as a Unix command's.
   */
  run(call: HostCommandCall): Promise<number | KilledBySignal>;
}

/** The process ends as one that a signal ended: `{ signal: "SIGSEGV" }`. */
export interface KilledBySignal {
  readonly signal: string;
}

/** One run of a host command, as the process in the VM has it. */
export interface HostCommandCall {
  /** The VM's name. */
  readonly vm: string;
  readonly pid: number;
  /** The first word is the name it was called by. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  /** What the terminal has, where stdin, stdout and stderr are one. */
  readonly terminal: TerminalSize | undefined;
  /**
   * Bytes of fd 0 as they come; nothing is read from the VM before somebody asks. Fails with the
   * KernelError of a read that failed, and with `signal.reason` once the process is gone.
   */
  readonly stdin: AsyncIterable<Uint8Array>;
  /**
   * Resolves when there is room for more; the bytes are the caller's again then. Fails with a
   * KernelError: EPIPE when nobody reads any more, or what a write failed with (ENOSPC…).
   */
  readonly writeOut: (bytes: Uint8Array) => Promise<void>;
  readonly writeError: (bytes: Uint8Array) => Promise<void>;
  /**
   * Calls back for each signal that would end the process (`SIGINT`, `SIGTERM`…), and for SIGWINCH.
   * Without a listener a signal does to the process what it does by default; so do those that stop it
   * and SIGKILL in any case. What the process was started to ignore stays ignored.
   */
  readonly onSignal: (listener: (name: string) => void) => void;
  /** Calls back when the terminal's size has changed. */
  readonly onResize: (listener: (size: TerminalSize) => void) => void;
  /**
   * Whether the terminal passes on every byte as it is (`stty raw -echo`); when the process is gone,
   * however it went, the terminal is as it was. Nothing happens without a terminal.
   */
  readonly setRaw: (isRaw: boolean) => void;
  /** Aborted when the process is gone before `run` has ended. */
  readonly signal: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A failure with the status a shell shows for it. */
export class HostCommandError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HostCommandError";
    this.status = status;
  }
}
