// What the benchmark asks of a peer's process, and what each peer implements to answer. Messages
// travel as JSON lines on Node's IPC channel, so a peer may print what it likes.

/** One thing to do and to time. VMs are named by the asker. */
export type PeerCall =
  /** Makes a VM and runs `echo hi` in it. */
  | ({ readonly kind: "createAndEcho"; readonly vm: string } & VmSpec)
  | {
      readonly kind: "exec";
      readonly vm: string;
      readonly command: string;
      /** What stdout must match, as a regular expression: a wrong answer is no figure. */
      readonly answer: string;
    }
  /** Runs a command that times itself: the figure is the number of milliseconds it prints. */
  | { readonly kind: "execPrinted"; readonly vm: string; readonly command: string }
  /** The same for the code of a JavaScript module. */
  | { readonly kind: "runPrinted"; readonly vm: string; readonly code: string }
  /** Runs a command that writes that many bytes to stdout, and counts them. */
  | {
      readonly kind: "output";
      readonly vm: string;
      readonly command: string;
      readonly bytes: number;
      readonly isOnTerminal?: boolean;
    }
  /** Gives that many bytes to a command that counts its stdin and prints the number, as `wc -c`. */
  | {
      readonly kind: "input";
      readonly vm: string;
      readonly command: string;
      readonly bytes: number;
    }
  /** Asks for a file's attributes through the peer's host API. */
  | { readonly kind: "stat"; readonly vm: string; readonly path: string }
  /** Reads a file so many times, one after the other; its text must be as given. */
  | {
      readonly kind: "read";
      readonly vm: string;
      readonly path: string;
      readonly text: string;
      readonly times: number;
    }
  | { readonly kind: "write"; readonly vm: string; readonly path: string; readonly text: string }
  /**
   * Writes a text file of that size through the peer's host API: the same line again and again, or
   * lines of a number, thirteen words and a number.
   */
  | {
      readonly kind: "writeLines";
      readonly text: "same" | "words";
      readonly vm: string;
      readonly path: string;
      readonly bytes: number;
    }
  /** Makes that many VMs at once, each with an `echo hi`, named `<vm>0` and so on. */
  | { readonly kind: "burst"; readonly vm: string; readonly count: number }
  | { readonly kind: "destroy"; readonly vm: string }
  | { readonly kind: "destroyAll" }
  /** Frees what can be freed, before memory is read. */
  | { readonly kind: "collect" }
  | { readonly kind: "close" };

export interface PeerRequest {
  readonly id: number;
  readonly call: PeerCall;
}

/** `ms` is measured inside the peer's process: the protocol costs it nothing. */
export interface PeerAnswer {
  readonly id: number;
  readonly ms?: number;
  readonly problem?: string;
}

/** What is absent, the peer cannot do: the row has no figure of it. */
export interface PeerVm {
  /** Runs the code of a JavaScript module. */
  run?(code: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
  exec(command: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
  /** Resolves to the number of bytes that the command wrote to stdout. */
  output?(command: string): Promise<number>;
  /** The same on a terminal. */
  terminalOutput?(command: string): Promise<number>;
  /** Resolves to the command's stdout. */
  input?(command: string, bytes: number): Promise<string>;
  stat?(path: string): Promise<unknown>;
  read?(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  destroy(): Promise<void>;
}

/** The ways into our VMs: the library, `vm_exec` over MCP, `agentos-mcp exec` and `agentos-mcp shell`. */
export type Door = "library" | "mcp" | "exec" | "shell";

/**
 * What a VM can have of the host: the function `weather.forecast`, which takes a city; the host
 * commands `bytes-out` and `bytes-in`; a folder of 2,000 small files in /opt/bench.
 */
export type VmPart = "tools" | "commands" | "software";

export interface VmSpec {
  /** Whether something may have been started for it ahead of need; true unless said otherwise. */
  readonly isAhead?: boolean;
  /** The library unless said otherwise. */
  readonly door?: Door;
  /** Only a VM of the library has any. */
  readonly parts?: readonly VmPart[];
}

export interface Peer {
  create(spec: VmSpec): Promise<PeerVm>;
  close(): Promise<void>;
}
