/**
 * Somebody who watches the calls of processes: a guest's strace, or the host.
 *
 * A process without tracers pays one comparison for each call, see `syscalls/dispatch.ts`. A traced process waits
 * while its tracer's output is behind, as under ptrace(2), so nothing is lost and nothing is held without bound.
 */
import { encodeText } from "../abi/text.ts";
import type { WaitStatus } from "../abi/wait-status.ts";
import type { Process } from "../process/process.ts";

/** One line of a trace, as JSON. */
export type TraceRecord = CallRecord | EndRecord;

export interface CallRecord {
  readonly kind: "call";
  /** When the call began, in milliseconds since 1970. */
  readonly atMs: number;
  readonly pid: number;
  /** The name ps shows. */
  readonly program: string;
  readonly call: string;
  /** Each as strace writes it. */
  readonly args: readonly string[];
  /** As strace writes it; "?" for a call that its process did not live to see the end of. */
  readonly result: string;
  readonly errno?: string | undefined;
  readonly durationMs: number;
}

export interface EndRecord {
  readonly kind: "end";
  readonly atMs: number;
  readonly pid: number;
  readonly program: string;
  readonly status: WaitStatus;
}

/** A call under way. */
export interface OpenCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly atMs: number;
  readonly startMs: number;
}

/** What a process that is traced has more than others. */
export interface Traced {
  readonly tracers: Set<Tracer>;
  readonly openCalls: Set<OpenCall>;
}

/** Where lines go. */
export interface TraceOutput {
  /** Resolves when the bytes are taken; rejects when nobody reads any more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Called once, after the last write. */
  close(): void;
}

export interface TraceOptions {
  /** Traces what its processes start, too. */
  readonly follows: boolean;
  /** The calls to tell of; all where undefined. The end of a process is always told. */
  readonly calls?: ReadonlySet<string> | undefined;
  /** How many bytes of data are shown. strace's `-s`. */
  readonly shownBytes: number;
  /** Whose processes it may see; root's sees all. */
  readonly uid: number;
}

/** Lines held for a slow reader: beyond it the traced processes wait. */
const HELD_BYTES = 65_536;

export class Tracer {
  readonly options: TraceOptions;
  readonly #output: TraceOutput;
  readonly #processes = new Set<Process>();
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isWriting = false;
  #isOver = false;
  /** Those who wait for room. */
  #waiting: (() => void)[] = [];

  constructor(output: TraceOutput, options: TraceOptions) {
    this.#output = output;
    this.options = options;
  }

  /** Traces a process from now on, unless it is somebody else's. The host's own are never told of. */
  attach(process: Process): void {
    if (this.#isOver || !this.#maySee(process)) return;
    this.#processes.add(process);
    process.traced ??= { tracers: new Set(), openCalls: new Set() };
    process.traced.tracers.add(this);
  }

  detach(process: Process): void {
    if (!this.#processes.delete(process)) return;
    process.traced?.tracers.delete(this);
    if (process.traced?.tracers.size === 0) process.traced = undefined;
    this.stopIfUnused();
  }

  /** Leaves all processes; what is held is dropped. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const process of [...this.#processes]) this.detach(process);
    this.#held = [];
    this.#heldBytes = 0;
    this.#wakeAll();
    this.#output.close();
  }

  wants(process: Process, call: string): boolean {
    return !process.isTrusted && (this.options.calls?.has(call) ?? true);
  }

  /** Whoever has become somebody else, by a set-user-ID file, is traced no more. */
  revalidate(process: Process): void {
    if (!this.#maySee(process)) this.detach(process);
  }

  record(record: TraceRecord): void {
    if (this.#isOver) return;
    const line = encodeText(`${JSON.stringify(record)}\n`);
    this.#held.push(line);
    this.#heldBytes += line.length;
    if (!this.#isWriting) this.#writeHeld().catch(() => this.stop());
  }

  /** Resolves when there is room for more; undefined where there is. */
  untilRoom(): Promise<void> | undefined {
    if (this.#heldBytes <= HELD_BYTES || this.#isOver) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #maySee({ credentials }: Process): boolean {
    const { uid } = this.options;
    return uid === 0 || (credentials.uid === uid && credentials.euid === uid);
  }

  /** Rejects when nobody reads any more. */
  async #writeHeld(): Promise<void> {
    this.#isWriting = true;
    try {
      for (let line = this.#held.shift(); line !== undefined; line = this.#held.shift()) {
        await this.#output.write(line);
        this.#heldBytes -= line.length;
        if (this.#heldBytes <= HELD_BYTES) this.#wakeAll();
      }
    } finally {
      this.#isWriting = false;
    }
    this.stopIfUnused();
  }

  /** Ends where there is no process left to tell of, and nothing to tell. */
  stopIfUnused(): void {
    if (this.#isOver || this.#isWriting || this.#processes.size > 0 || this.#held.length > 0)
      return;
    this.stop();
  }
}
