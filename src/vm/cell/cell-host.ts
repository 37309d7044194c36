import { availableParallelism } from "node:os";
import type {
  KernelHost,
  KernelLog,
  LimitWarning,
  PermissionAnswer,
  PermissionRequest,
} from "../../kernel/index.ts";
import type { FromCell } from "../wire/from-cell.ts";
import type { CellWire } from "./cell-wire.ts";
import { fillRandomly } from "./fill-randomly.ts";
import type { MemoryWatch } from "./memory-watch.ts";

type HostWire = Pick<CellWire, "send" | "hasRoom" | "untilRoom">;

/** setTimeout's longest delay; longer ones are waited for in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The longest notice, see wire/from-cell.ts. */
const NOTICE_CHARACTERS = 1024;
/** How often a limit is warned of at most; the server holds the cell to it. */
const WARNING_PERIOD_MS = 1000;
/** Asking for it takes longer than asking for the time. */
const TIME_ORIGIN = performance.timeOrigin;

/** Tools start a worker for each processor; with more of them they would meet maxIsolates and the VM's memory. */
const MOST_CPUS = 8;

/** The world as a cell's kernel sees it: Node's clock and random source, and questions to the server. */
export class CellHost implements KernelHost {
  readonly memory: MemoryWatch;
  readonly cpus = Math.min(availableParallelism(), MOST_CPUS);
  readonly #wire: HostWire;
  /** When each limit was last warned of. */
  readonly #warned = new Map<LimitWarning["limit"], number>();
  readonly #asks = new Map<number, (answer: PermissionAnswer) => void>();
  #lastAsk = 0;
  #onTurn = (): void => undefined;

  /** `memory` is of the process: hosts of one process share it. */
  constructor(wire: HostWire, memory: MemoryWatch) {
    this.memory = memory;
    this.#wire = wire;
  }

  /** Called whenever guests that compute let the event loop have a turn. */
  onTurn(callback: () => void): void {
    this.#onTurn = callback;
  }

  now(): number {
    return TIME_ORIGIN + performance.now();
  }

  monotonic(): number {
    return performance.now();
  }

  threadCpuMs(): number {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout;
    const start = (leftMs: number): void => {
      const part = Math.min(leftMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > part ? start(leftMs - part) : callback()), part);
    };
    start(delayMs);
    return () => clearTimeout(timer);
  }

  yieldTurn(): Promise<void> {
    this.memory.look();
    this.#onTurn();
    return new Promise((resolve) => setImmediate(resolve));
  }

  takeMemoryShortage(): boolean {
    return this.memory.takeShortage();
  }

  random(into: Uint8Array): void {
    fillRandomly(into);
  }

  log({ level, message, cause }: KernelLog): void {
    const detail = cause instanceof Error ? `: ${cause.stack ?? cause.message}` : "";
    this.#say({ type: "log", level, message: `${message}${detail}`.slice(0, 16_384) });
  }

  tellSession(sid: number, text: string): void {
    this.#say({ type: "notice", sid, text: text.slice(0, NOTICE_CHARACTERS) });
  }

  /** A guest can go over and below a mark without end: once a second is enough, and all that the server takes. */
  warnLimit(warning: LimitWarning): void {
    const now = performance.now();
    const last = this.#warned.get(warning.limit);
    if (last !== undefined && now - last < WARNING_PERIOD_MS) return;
    this.#warned.set(warning.limit, now);
    this.#say({ type: "limit", warning });
  }

  /** What guests cause and nobody waits for is lost while the server does not read. */
  #say(message: FromCell): void {
    if (this.#wire.hasRoom()) this.#wire.send(message);
  }

  async ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    this.#lastAsk += 1;
    const ask = this.#lastAsk;
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    await this.#wire.untilRoom();
    if (signal.aborted) return "deny";
    const giveUp = (): void => {
      this.#wire.send({ type: "askEnded", ask });
      resolve("deny");
    };
    this.#asks.set(ask, resolve);
    signal.addEventListener("abort", giveUp, { once: true });
    this.#wire.send({ type: "ask", ask, request });
    try {
      return await promise;
    } finally {
      this.#asks.delete(ask);
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** The server's answer to a question. */
  answer(ask: number, answer: PermissionAnswer): void {
    this.#asks.get(ask)?.(answer);
  }
}
