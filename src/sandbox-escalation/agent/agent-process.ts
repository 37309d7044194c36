import { findSignalName, findSignalNumber } from "../../kernel/index.ts";
import {
  type ProcessEnd,
  SandboxError,
  type SandboxProcess,
  type StreamBytes,
} from "../provider.ts";
import { AgentChannel, type SendFrame } from "./agent-channel.ts";
import { encodeNumbers, fromAgent, numberAt, toAgent } from "./agent-frames.ts";
import { makeSettlement } from "./settlement.ts";

/** A process in a sandbox that the agent started, from its frames. */
export class AgentProcess implements SandboxProcess {
  /** Settles when the agent has started it or could not. */
  readonly started: Promise<void>;
  readonly ended: Promise<ProcessEnd>;
  readonly #channel: AgentChannel;
  readonly #send: SendFrame;
  readonly #settleStart = makeSettlement<void>();
  readonly #settleEnd = makeSettlement<ProcessEnd>();
  readonly #complete: (end: ProcessEnd) => Promise<ProcessEnd>;
  #id = "";
  #written: StreamBytes | undefined;

  /** `complete` adds to an end what only the sandbox knows. */
  constructor(send: SendFrame, complete: (end: ProcessEnd) => Promise<ProcessEnd>) {
    this.#send = send;
    this.#complete = complete;
    this.#channel = new AgentChannel(send);
    this.started = this.#settleStart.promise;
    this.ended = this.#settleEnd.promise;
  }

  get id(): string {
    return this.#id;
  }

  get output(): AsyncIterable<Uint8Array> {
    return this.#channel.output;
  }

  get errors(): AsyncIterable<Uint8Array> {
    return this.#channel.errors;
  }

  writtenAtEnd(): StreamBytes | undefined {
    return this.#written;
  }

  writeInput(bytes: Uint8Array): Promise<void> {
    return this.#channel.writeInput(bytes);
  }

  async closeInput(): Promise<void> {
    this.#channel.endInput();
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#send(toAgent.resize, encodeNumbers(packSize(columns, rows)));
  }

  async kill(signal: string): Promise<void> {
    const number = findSignalNumber(signal);
    if (number === undefined) throw new SandboxError("failed", `${signal} is not a signal.`);
    this.#send(toAgent.signal, encodeNumbers(number));
  }

  /** What the agent said of this process. */
  take(kind: number, payload: Uint8Array): void {
    if (kind === fromAgent.started) this.#start(numberAt(payload, 0));
    else if (kind === fromAgent.refused) this.#refuse(numberAt(payload, 0));
    else if (kind === fromAgent.exited) this.#end(payload);
    else this.#channel.take(kind, payload);
  }

  /** The sandbox is gone, or the agent done with it. */
  abandon(why?: string): void {
    this.#channel.end();
    // Not "gone": the command may have begun, and is nobody's to begin again.
    this.#settleStart.reject(new SandboxError("failed", "The sandbox ended."));
    const end: ProcessEnd = { status: 128 + SIGKILL, signal: "SIGKILL" };
    this.#settleEnd.resolve(why === undefined ? end : { ...end, sandboxEnd: why });
  }

  /** Said once; what is said again is not believed. */
  #start(pid: number): void {
    if (this.#id !== "") return;
    this.#id = String(pid);
    this.#channel.output.open();
    this.#channel.errors.open();
    this.#settleStart.resolve();
  }

  #refuse(errno: number): void {
    this.#channel.end();
    const why =
      errno === EAGAIN
        ? "The sandbox has no room for another process."
        : `The sandbox could not start the process (errno ${errno}).`;
    this.#settleStart.reject(new SandboxError(errno === EAGAIN ? "limit" : "failed", why));
    this.#settleEnd.resolve({ status: 126 });
  }

  #end(payload: Uint8Array): void {
    const { output, errors } = this.#channel;
    this.#written = {
      output: output.receivedBytes + numberAt(payload, 1),
      errors: errors.receivedBytes + numberAt(payload, 2),
    };
    this.#settleEnd.resolve(this.#complete(readWaitStatus(numberAt(payload, 0))));
  }
}

/** Columns in the low half, rows in the high half. */
export function packSize(columns: number, rows: number): number {
  const columnsInRange = Math.min(Math.max(Math.trunc(columns), 1), 0xffff);
  const rowsInRange = Math.min(Math.max(Math.trunc(rows), 1), 0xffff);
  return rowsInRange * 0x10000 + columnsInRange;
}

/** wait(2)'s status word. */
function readWaitStatus(status: number): ProcessEnd {
  const signal = status & 0x7f;
  if (signal === 0) return { status: (status >> 8) & 0xff };
  const name = findSignalName(signal);
  return name === undefined ? { status: 128 + signal } : { status: 128 + signal, signal: name };
}

const SIGKILL = 9;
const EAGAIN = 11;
