import { KernelError, limitNames } from "../../kernel/index.ts";
import { StreamBreach, StreamTable } from "../../streams/index.ts";
import { defer } from "../deferred.ts";
import {
  type CellMethod,
  type CellParams,
  type CellResult,
  parseResult,
} from "../wire/cell-methods.ts";
import { FrameError } from "../wire/frame.ts";
import { FrameChannel } from "../wire/frame-channel.ts";
import { type FromCell, parseFromCell } from "../wire/from-cell.ts";
import type { ToCell } from "../wire/messages.ts";
import type { CellEvents } from "./cell-events.ts";
import type { CellExit, CellProcess } from "./cell-process/cell-process.ts";
import type { Watch, Watchdog } from "./cell-process/watchdog.ts";
import { CellRation, type RationLimits } from "./cell-ration.ts";

/** What a cell says that is not about a call. */
type Announcement = Exclude<FromCell, { type: "ready" | "result" | "failure" }>;
/** Of that, what only a cell with a VM says. */
type VmNews = Exclude<Announcement, { type: "data" | "credit" | "end" | "stop" | "stuck" | "log" }>;

interface Pending {
  readonly method: CellMethod;
  readonly resolve: (answer: { readonly value: unknown; readonly body: Uint8Array }) => void;
  readonly reject: (error: Error) => void;
}

export type CellAnswer<M extends CellMethod> = CellResult<M> & {
  readonly body: Uint8Array;
};

/** Log lines taken from one cell; the rest is dropped. */
const LOG_LIMIT = 1_000;

/** How long a cell may live on without its wire: as long as a process needs to end. */
const WIRELESS_LIMIT_MS = 1000;

/** The cell is gone: every call under way fails with this. */
export class CellLost extends Error {
  readonly exit: CellExit;

  constructor(exit: CellExit) {
    super(`the cell ended: ${exit.reason}`);
    this.name = "CellLost";
    this.exit = exit;
  }
}

/**
 * The server's end of one cell: calls, streams, and the watch over it. Whatever the cell says that
 * is no message, or answers no call, ends it.
 */
export class CellClient {
  readonly pid: number;
  readonly ready: Promise<void>;
  /** Resolves when the process is gone. */
  readonly exited: Promise<CellExit>;
  /** The streams between the two; they end with the cell. */
  readonly streams: StreamTable;
  readonly #cell: CellProcess;
  readonly #channel: FrameChannel;
  readonly #watch: Watch;
  readonly #pending = new Map<number, Pending>();
  readonly #ready = defer<void>();
  readonly #ration = new CellRation();
  readonly #startedMs = performance.now();
  #events: CellEvents | undefined;
  #lastId = 0;
  #lastTurn: Promise<void> = Promise.resolve();
  #lost: CellLost | undefined;
  #running = 0;
  #logged = 0;
  #isReady = false;
  #isDistrusted = false;
  #warnings = 0;

  constructor(cell: CellProcess, watchdog: Watchdog) {
    this.#cell = cell;
    this.pid = cell.pid;
    this.ready = this.#ready.promise;
    this.#channel = new FrameChannel(cell.wire, {
      onFrame: (header, body, headerBytes) => {
        this.#receive(header, body);
        return this.#ration.charge(headerBytes, body.length);
      },
      onRoom: () => this.streams.roomAgain(),
    });
    this.streams = new StreamTable(
      {
        send: (frame, body, isGiven) =>
          this.#post(() => this.#channel.post(frame, body, isGiven === true ? nothing : undefined)),
        sendFirst: (frame) => this.#post(() => this.#channel.postFirst(frame)),
        hasRoom: () => this.#channel.hasRoom,
      },
      1,
    );
    this.#channel.closed.then((error) => this.#endWireless(error)).catch(this.#logBug);
    this.#watch = watchdog.watch(cell, {
      ping: () => this.#ping(),
      relieve: () => this.#relieve(),
      sayShort: (shortage) => this.tell({ type: "memoryShort", ...shortage }),
    });
    this.exited = cell.exited.then((exit) => {
      this.#end(exit);
      return exit;
    });
  }

  /** Who listens once the cell is a VM. */
  listen(events: CellEvents): void {
    this.#events = events;
  }

  /** Fails with KernelError as the call did in the VM, with CellLost when the cell ends. */
  async call<M extends CellMethod>(
    method: M,
    params: CellParams<M>,
    body?: Uint8Array,
  ): Promise<CellAnswer<M>> {
    if (this.#lost !== undefined) throw this.#lost;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = defer<{
      value: unknown;
      body: Uint8Array;
    }>();
    this.#pending.set(id, { method, resolve, reject });
    try {
      if (method === "writeFile" || !this.#channel.hasRoom) await this.#untilTurn(promise);
      this.#send({ type: "call", id, method, params }, body).catch(reject);
      const answer = await promise;
      const value = parseResult(method, answer.value);
      if (value === undefined) {
        this.distrust(`no answer to ${method}`);
        throw new CellLost(await this.exited);
      }
      return { ...value, body: answer.body };
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Told without waiting; a cell that is gone needs no telling. */
  tell(message: ToCell): void {
    this.#post(() => this.#channel.post(message));
  }

  /** Answers a request; resolves when the wire has room for more. A cell that is gone needs no answer. `sent` as in FrameChannel. */
  async reply(message: ToCell, body?: Uint8Array, sent?: () => void): Promise<void> {
    try {
      await this.#send(message, body, sent);
    } catch (error) {
      if (!(error instanceof CellLost)) throw error;
    }
  }

  /** Whether guests run: then the watchdog looks often. */
  setRunning(count: number): void {
    this.#running = count;
    this.#watch.setActive(count > 0);
  }

  get running(): number {
    return this.#running;
  }

  /** What the cell may send from now on. */
  limitFrames(limits: RationLimits): void {
    this.#ration.limit(limits);
  }

  /** What the watchdog holds the cell to from now on. */
  limitMemory(bytes: number): void {
    this.#watch.limitMemory(bytes);
  }

  residentBytes(): number | undefined {
    return this.#cell.residentBytes();
  }

  /** Whether it still answers; resolves to false when it has ended. */
  async isAlive(): Promise<boolean> {
    try {
      await this.call("ping", {});
      return true;
    } catch (error) {
      if (error instanceof CellLost) return false;
      throw error;
    }
  }

  /** Ends a cell that does what no cell of ours does: it is no longer ours. */
  distrust(what: string): Error {
    if (!this.#isDistrusted) {
      this.#isDistrusted = true;
      this.#events?.log("warning", `the cell sent ${what} and was ended`);
      this.#cell.kill("protocol");
      // What it sends until it has ended is not read.
      this.#cell.wire.destroy();
    }
    return new Error(`the cell sent ${what}`);
  }

  /** Ends the cell; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#cell.kill("stopped");
    await this.exited;
  }

  /** Calls go out as the cell takes them: each waits for those before it. */
  #untilTurn(answer: Promise<unknown>): Promise<void> {
    // The cell may end before the call is sent: that failure is the caller's, a little later.
    answer.catch(nothing);
    const room = this.#lastTurn.then(() => this.#channel.untilRoom());
    this.#lastTurn = room.catch(() => undefined);
    return this.#lastTurn;
  }

  /** For what credit holds back. A cell that is gone needs nothing more. */
  #post(post: () => void): void {
    try {
      post();
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (error.code === "QUEUE_FULL") this.#cell.kill("silent");
      else if (error.code !== "CLOSED") throw error;
    }
  }

  async #send(message: ToCell, body?: Uint8Array, sent?: () => void): Promise<void> {
    try {
      await this.#channel.send(message, body, sent);
    } catch (error) {
      const isGone =
        error instanceof FrameError && (error.code === "CLOSED" || error.code === "QUEUE_FULL");
      if (!isGone) throw error;
      if (error.code === "QUEUE_FULL") this.#cell.kill("silent");
      throw this.#lost ?? new CellLost(await this.exited);
    }
  }

  #receive(header: unknown, body: Uint8Array): void {
    if (this.#isDistrusted) return;
    this.#watch.heard();
    const message = parseFromCell(header);
    if (message === undefined) {
      this.distrust("a message that is none");
      return;
    }
    try {
      this.#handle(message, body);
    } catch (error) {
      if (!(error instanceof StreamBreach)) throw error;
      this.distrust(error.message);
    }
  }

  #handle(message: FromCell, body: Uint8Array): void {
    switch (message.type) {
      case "ready":
        if (this.#isReady) this.distrust("that it is ready twice");
        this.#isReady = true;
        this.#ready.resolve();
        break;
      case "result":
        this.#take(message.id)?.resolve({ value: message.value, body: body.slice() });
        break;
      case "failure":
        this.#take(message.id)?.reject(
          new KernelError(message.errno, message.subject, message.reason),
        );
        break;
      default:
        this.#announce(message, body);
    }
  }

  /** The call an answer is for. Every call waits for its answer, so none is for no call. */
  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) this.distrust("an answer to no call");
    this.#pending.delete(id);
    return pending;
  }

  #announce(message: Announcement, body: Uint8Array): void {
    switch (message.type) {
      case "data":
      case "credit":
      case "end":
      case "stop":
        return this.streams.receive(message, body);
      case "stuck":
        return this.#cell.kill("stuck");
      case "log":
        this.#logged += 1;
        if (this.#logged <= LOG_LIMIT) this.#events?.log(message.level, message.message);
        return undefined;
      default:
        if (this.#events === undefined) return void this.distrust("news of a VM that is not there");
        return this.#tellNews(this.#events, message, body);
    }
  }

  #tellNews(events: CellEvents, message: VmNews, body: Uint8Array): void {
    switch (message.type) {
      case "limit":
        return this.#isWarningDue() ? events.limit(message.warning) : undefined;
      case "notice":
        return events.notice(message.sid, message.text);
      case "ask":
        return events.ask(message.ask, message.request);
      case "askEnded":
        return events.askEnded(message.ask);
      case "watchEvents":
        return events.watchEvents(message.watch, message.events);
      case "request":
        return events.request(message, body);
    }
  }

  /** A cell warns of each limit once a second at most, see cell/cell-host.ts. */
  #isWarningDue(): boolean {
    this.#warnings += 1;
    const seconds = (performance.now() - this.#startedMs) / 1000;
    if (this.#warnings <= limitNames.length * (2 + seconds)) return true;
    this.distrust("more warnings than there are limits");
    return false;
  }

  #ping(): void {
    this.call("ping", {}).catch((error: unknown) => {
      if (!(error instanceof CellLost)) this.distrust("no answer to a ping");
    });
  }

  #relieve(): void {
    this.call("relieve", {})
      .then(() => this.#watch.relieved())
      .catch((error: unknown) => {
        if (!(error instanceof CellLost)) this.distrust("no answer to a relieve");
      });
  }

  /**
   * The wire is closed. A cell that broke its rules ends at once; else it is most likely ending by
   * itself, and why is more worth knowing than that the wire closed.
   */
  #endWireless(error: Error | undefined): void {
    if (this.#lost !== undefined) return;
    if (error instanceof FrameError && error.code !== "TRUNCATED" && error.code !== "QUEUE_FULL") {
      this.distrust(`a frame that is none (${error.message})`);
      return;
    }
    const limit = setTimeout(() => this.#cell.kill("protocol"), WIRELESS_LIMIT_MS);
    this.exited.then(() => clearTimeout(limit)).catch(this.#logBug);
  }

  readonly #logBug = (error: unknown): void => {
    this.#events?.log("bug", String(error));
  };

  #end(exit: CellExit): void {
    this.#lost = new CellLost(exit);
    this.#watch.stop();
    this.streams.loseAll();
    this.#ready.reject(this.#lost);
    for (const { reject } of this.#pending.values()) reject(this.#lost);
    this.#pending.clear();
  }
}

const nothing = (): void => undefined;
