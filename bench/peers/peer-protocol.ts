// What the benchmark asks of a peer's process, and what each peer implements to answer. Messages
// travel as JSON lines on Node's IPC channel, so a peer may print what it likes.

/** One thing to do and to time. VMs are named by the asker. */
export type PeerCall =
  /** Makes a VM and runs `echo hi` in it. `isAhead` false: nothing was started ahead of need. */
  | {
      readonly kind: "createAndEcho";
      readonly vm: string;
      readonly isAhead: boolean;
      /** Whether it gets the host's function `weather.forecast`. */
      readonly hasTools?: boolean;
    }
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

export interface PeerVm {
  /** Runs the code of a JavaScript module, where the peer can. */
  run?(code: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
  exec(command: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
  write(path: string, text: string): Promise<void>;
  destroy(): Promise<void>;
}

export interface VmWish {
  /** False asks for a VM for which nothing was started beforehand. */
  readonly isAhead: boolean;
  /** Asks for a VM with the host's function `weather.forecast`, which takes a city. */
  readonly hasTools?: boolean;
}

export interface Peer {
  create(wish: VmWish): Promise<PeerVm>;
  close(): Promise<void>;
}
