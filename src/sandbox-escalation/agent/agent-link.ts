import type { Duplex } from "node:stream";
import { encodeText } from "../../kernel/index.ts";
import { StreamBreach, StreamReceiver } from "../../streams/index.ts";
import { type ProcessEnd, SandboxError, type SpawnOptions } from "../provider.ts";
import { AgentChannel, type SendFrame } from "./agent-channel.ts";
import {
  encodeFrame,
  encodeNumbers,
  FRAME_COST_BYTES,
  FRAME_LIMIT_BYTES,
  type Frame,
  FrameReader,
  fromAgent,
  numberAt,
  toAgent,
} from "./agent-frames.ts";
import { AgentProcess, packSize } from "./agent-process.ts";
import { makeSettlement } from "./settlement.ts";

/** Bytes of a disk that stay free, see native/sandbox-agent/src/disk.c. */
export interface DiskFloor {
  readonly stopBytes: number;
  readonly endBytes: number;
}

/** What the link tells its owner. */
export interface AgentLinkOwner {
  /** Adds to a process's end what only the sandbox knows. */
  completeEnd(end: ProcessEnd): Promise<ProcessEnd>;
  /** A connection that something in the sandbox made to the relayed port. */
  onConnection(channel: AgentChannel): void;
  /** The agent has stopped everything: a disk is below its floor. */
  onStopped?(): void;
  /** How often the agent is told that we are here, where the link's end does not tell it. */
  readonly beatMs?: number | undefined;
  /** How much output may be under way, all streams together, where the carrier loses what is more. */
  readonly windowBytes?: number | undefined;
}

/**
 * The server's end of the socket to a sandbox's agent: starts processes and hands each its frames. The
 * agent is as hostile as the rest of the sandbox; what breaks the rules ends the link.
 */
export class AgentLink {
  /** Settles when the agent runs; fails when it never did. */
  readonly ready: Promise<void>;
  readonly #socket: Duplex;
  readonly #owner: AgentLinkOwner;
  readonly #reader = new FrameReader();
  readonly #processes = new Map<number, AgentProcess>();
  readonly #connections = new Map<number, AgentChannel>();
  readonly #readiness = makeSettlement<void>();
  #onListening: ((failure: Error | undefined) => void) | undefined;
  readonly #beats: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** What is under way of all streams together, where the carrier loses what is more. */
  readonly #window: StreamReceiver | undefined;
  #lastId = 0;

  constructor(socket: Duplex, owner: AgentLinkOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.ready = this.#readiness.promise;
    this.ready.catch(() => this.close());
    socket.on("data", (bytes: Uint8Array) => this.#read(bytes));
    socket.on("error", () => this.close());
    socket.on("close", () => this.close());
    const { beatMs, windowBytes } = owner;
    if (windowBytes !== undefined) this.#window = this.#makeWindow(windowBytes);
    if (beatMs === undefined) return;
    this.#beats = setInterval(() => this.#sender(0)(toAgent.beat, new Uint8Array(0)), beatMs);
    this.#beats.unref();
  }

  get processCount(): number {
    return this.#processes.size;
  }

  async spawn(argv: readonly string[], options: SpawnOptions): Promise<AgentProcess> {
    if (this.#isClosed) throw new SandboxError("gone", "The sandbox ended.");
    const request = encodeRequest(argv, options);
    const id = this.#nextId();
    const process = new AgentProcess(this.#sender(id), (end) => this.#owner.completeEnd(end));
    this.#processes.set(id, process);
    this.#sender(id)(toAgent.spawn, request);
    await process.started;
    return process;
  }

  /** Has the agent accept connections on 127.0.0.1; each comes to the owner. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onListening = (failure) => (failure === undefined ? resolve() : reject(failure));
      this.#sender(0)(toAgent.listen, encodeNumbers(port));
    });
  }

  /**
   * Has the agent stop everything in the sandbox while the disk that `path` is on has less than `stopBytes` free. Below
   * `endBytes` it ends processes whose writes do not stop.
   */
  setFloor(index: number, { stopBytes, endBytes }: DiskFloor, path: string): void {
    const head = encodeNumbers(index, ...twoWords(stopBytes), ...twoWords(endBytes));
    this.#sender(0)(toAgent.floor, Buffer.concat([head, encodeText(`${path}\0`)]));
  }

  /** What was stopped goes on. */
  release(): void {
    this.#sender(0)(toAgent.release, new Uint8Array(0));
  }

  /** The agent ends when its socket does, and the sandbox with it; processes are told why. */
  close(why?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#beats);
    this.#socket.destroy();
    this.#readiness.reject(new SandboxError("failed", "The sandbox did not start."));
    this.#onListening?.(new SandboxError("gone", "The sandbox ended."));
    for (const process of this.#processes.values()) process.abandon(why);
    for (const channel of this.#connections.values()) channel.end();
    this.#processes.clear();
    this.#connections.clear();
  }

  #nextId(): number {
    // Ids of the agent's own have the high bit.
    this.#lastId = (this.#lastId + 1) % 0x80000000;
    return this.#lastId === 0 || this.#processes.has(this.#lastId) ? this.#nextId() : this.#lastId;
  }

  #sender(id: number): SendFrame {
    return (kind, payload) => {
      if (this.#isClosed) return;
      this.#socket.write(encodeFrame(kind, id, payload));
      // An honest agent reads; one that grants and does not read would have us hold what it grants.
      if (this.#socket.writableLength > QUEUED_BYTES) this.close();
    };
  }

  #read(bytes: Uint8Array): void {
    try {
      for (const frame of this.#reader.read(bytes)) {
        if (this.#isClosed) return;
        this.#obey(frame);
      }
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof StreamBreach)) throw error;
      this.close();
    }
  }

  #obey({ kind, id, payload }: Frame): void {
    if (kind === fromAgent.ready) return this.#begin();
    if (kind === fromAgent.output || kind === fromAgent.errors) this.#window?.push(payload);
    if (kind === fromAgent.stopped) return this.#owner.onStopped?.();
    if (id === 0) return this.#listening(kind, numberAt(payload, 0));
    if (kind === fromAgent.connection) return this.#connect(id);
    if (kind === fromAgent.released) return this.#release(id);
    this.#processes.get(id)?.take(kind, payload);
    this.#connections.get(id)?.take(kind, payload);
    if (kind === fromAgent.refused) this.#processes.delete(id);
  }

  #begin(): void {
    this.#window?.open();
    this.#readiness.resolve();
  }

  /** What has arrived is under way no more: it is taken at once. */
  #makeWindow(windowBytes: number): StreamReceiver {
    const nothing = (): void => undefined;
    const window = new StreamReceiver(
      { grant: (bytes) => this.#sender(0)(toAgent.credit, encodeNumbers(bytes)), stop: nothing },
      { creditBytes: 0, windowBytes, pieceCostBytes: FRAME_COST_BYTES, isOnDemand: false },
    );
    window.consume({ take: nothing, ended: nothing, failed: nothing });
    return window;
  }

  #listening(kind: number, errno: number): void {
    const failure =
      kind === fromAgent.started
        ? undefined
        : new SandboxError("failed", `The sandbox's proxy port cannot be opened (errno ${errno}).`);
    this.#onListening?.(failure);
    this.#onListening = undefined;
  }

  #connect(id: number): void {
    if (id < 0x80000000 || this.#connections.has(id) || this.#connections.size >= CONNECTIONS)
      throw new RangeError("the sandbox's agent has too many connections");
    const channel = new AgentChannel(this.#sender(id));
    this.#connections.set(id, channel);
    channel.errors.end();
    channel.output.open();
    this.#owner.onConnection(channel);
  }

  #release(id: number): void {
    this.#processes.get(id)?.abandon();
    this.#processes.delete(id);
    this.#connections.get(id)?.end();
    this.#connections.delete(id);
  }
}

function twoWords(value: number): [low: number, high: number] {
  return [value % 2 ** 32, Math.floor(value / 2 ** 32)];
}

/** As the agent has it. */
const CONNECTIONS = 256;
/** More than all windows of processes and connections together. */
const QUEUED_BYTES = 64 * 1024 * 1024;

/** Throws SandboxError "limit" or "failed". */
function encodeRequest(argv: readonly string[], options: SpawnOptions): Uint8Array {
  const variables = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const words = [options.cwd, ...argv, ...variables];
  if (argv.length === 0) throw new SandboxError("failed", "There is no command.");
  if (words.some((word) => word.includes("\0")))
    throw new SandboxError("failed", "A NUL cannot be part of a command or its environment.");
  const { terminal } = options;
  const size = terminal === undefined ? 0 : packSize(terminal.columns, terminal.rows);
  const head = encodeNumbers(terminal === undefined ? 0 : 1, size, argv.length, variables.length);
  const request = Buffer.concat([head, encodeText(words.map((word) => `${word}\0`).join(""))]);
  if (request.length > FRAME_LIMIT_BYTES || argv.length + variables.length > WORDS)
    throw new SandboxError("limit", "The command and its environment are longer than 1 MiB.");
  return request;
}

/** As the agent has it. */
const WORDS = 65_536;
