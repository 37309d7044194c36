import {
  type DeviceNode,
  isKernelError,
  KernelError,
  OpenFile,
  POLLIN,
  POLLOUT,
  type Stat,
  type Waiter,
  WaitQueue,
} from "../../../kernel/index.ts";
import { type ReadRequest, readDeviceRequest } from "../../wire/device-request.ts";
import type { DescriptionCache } from "./description-cache.ts";
import { EventQueue } from "./event-queue.ts";
import { LineReader } from "./line-reader.ts";
import { failureLine, type OpenCall, type ToolCalls } from "./tool-calls.ts";

/** Requests of one open device that have not been answered and read; then writing waits. */
const OPEN_LIMIT = 64;

export interface ToolkitsFileParts {
  readonly calls: ToolCalls;
  readonly descriptions: DescriptionCache;
}

/**
 * An open /dev/toolkits: requests are written, events are read, see toolkit-cli/device-protocol.ts. A
 * write waits while 64 requests are open. Closing it cancels them.
 */
export class ToolkitsFile extends OpenFile {
  readonly #node: DeviceNode;
  readonly #calls: ToolCalls;
  readonly #descriptions: DescriptionCache;
  readonly #open = new Map<number, OpenCall>();
  readonly #lines: LineReader;
  readonly #events = new EventQueue(() => this.#changed.wakeAll());
  readonly #changed = new WaitQueue();

  constructor(flags: number, node: DeviceNode, { calls, descriptions }: ToolkitsFileParts) {
    super(flags);
    this.#node = node;
    this.#calls = calls;
    this.#descriptions = descriptions;
    this.#lines = new LineReader(calls);
  }

  override describe(): string {
    return this.#node.path;
  }

  override stat(): Promise<Stat> {
    return this.#node.stat();
  }

  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    while (!this.#events.isReadable) {
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(this.#changed);
    }
    return this.#events.read(into);
  }

  /** Short after a signal, with O_NONBLOCK, and where the VM may hold no more; ENOBUFS for the first byte. */
  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    let done = 0;
    try {
      while (done < from.length) done += await this.#take(from.subarray(done), waiter);
    } catch (error) {
      if (done === 0 || !isKernelError(error)) throw error;
    }
    return done;
  }

  override poll(): number {
    return (this.#events.isReadable ? POLLIN : 0) | (this.#hasRoom ? POLLOUT : 0);
  }

  override get changed(): WaitQueue {
    return this.#changed;
  }

  protected override release(): void {
    for (const call of this.#open.values()) call.cancel();
    this.#open.clear();
    this.#lines.clear();
    this.#events.close();
  }

  get #hasRoom(): boolean {
    return this.#events.sources < OPEN_LIMIT;
  }

  async #waitForRoom(waiter: Waiter): Promise<void> {
    while (!this.#hasRoom) {
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(this.#changed);
    }
  }

  /** Takes bytes up to the end of a line; answers how many. What opens no call waits for no room. */
  async #take(from: Uint8Array, waiter: Waiter): Promise<number> {
    const line = this.#lines.find(from);
    if (line === undefined) return this.#lines.hold(from);
    const read = line === "too long" ? tooLong : readDeviceRequest(decoder.decode(line));
    const isCancel = "request" in read && read.request.op === "cancel";
    const isBlank = line !== "too long" && line.every((byte) => byte === 0x20 || byte === 0x0d);
    if (!isCancel && !isBlank) await this.#waitForRoom(waiter);
    const taken = this.#lines.take(from);
    if (line !== "too long" && !isBlank) this.#begin(read, line, waiter);
    else if (!isBlank) this.#refuse(0, tooLong.problem);
    return taken;
  }

  #begin(read: ReadRequest, line: Uint8Array, { pid = 0, argv = [] }: Waiter): void {
    if ("problem" in read) return this.#refuse(read.id, read.problem);
    const { request } = read;
    const { id, op } = request;
    if (op === "cancel") return this.#open.get(id)?.cancel();
    if (this.#open.has(id)) return this.#refuse(0, `The id ${id} is in use.`);
    const source = this.#events.addSource(() => this.#open.delete(id));
    const known = op === "describe" ? this.#descriptions.find(request.toolkit, id) : undefined;
    if (known !== undefined) return source.finish(known);
    const take =
      op === "describe"
        ? this.#descriptions.keeping(request.toolkit, id, source.take)
        : source.take;
    try {
      this.#open.set(id, this.#calls.open({ id, line, pid, argv }, take));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      source.finish(failureLine(id, "failed", `The VM holds too many requests (${error.words}).`));
    }
    return undefined;
  }

  #refuse(id: number, problem: string): void {
    const source = this.#events.addSource(() => undefined);
    source.finish(failureLine(id, "usage", problem));
  }
}

const decoder = new TextDecoder();
const tooLong = { id: 0, problem: "The request is too long." };
