import {
  decodeText,
  encodeText,
  isKernelError,
  type KernelError,
  O_CLOEXEC,
  O_RDWR,
  type Sys,
} from "../../kernel/index.ts";
import type { ToolkitDescription } from "../description.ts";
import { type DeviceEvent, type DeviceRequest, TOOLKITS_DEVICE } from "../device-protocol.ts";
import { ToolError, type ToolEvent } from "../tool-event.ts";
import { writeAll } from "./write-all.ts";

/** A request before it has an id. */
export type Wish = DeviceRequest extends infer R
  ? R extends DeviceRequest
    ? Omit<R, "id">
    : never
  : never;

export interface ListedToolkit {
  readonly name: string;
  readonly description: string;
}

export interface FoundTools {
  readonly matches: readonly {
    readonly toolkit: string;
    readonly tool: string;
    readonly description: string;
  }[];
  readonly unavailable: readonly { readonly toolkit: string; readonly message: string }[];
}

/** Most events fit into the first; a read that fills it is followed by larger ones. */
const FIRST_READ_BYTES = 4096;
const READ_BYTES = 65_536;
const NEWLINE = 0x0a;

/** /dev/toolkits, opened when it is first needed; one request at a time. */
export class ToolkitsDevice {
  readonly #sys: Sys;
  #fd: number | undefined;
  #lastId = 0;
  /** What has been read behind the last whole line. */
  #rest: Uint8Array[] = [];
  #into = new Uint8Array(FIRST_READ_BYTES);
  readonly #lines: string[] = [];

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  /** The events of a request, the last one included. Fails with a ToolError "unavailable". */
  async *events(wish: Wish): AsyncGenerator<ToolEvent, void, void> {
    const fd = await this.#open();
    this.#lastId += 1;
    const id = this.#lastId;
    await writeAll(this.#sys, fd, encodeText(`${JSON.stringify({ ...wish, id })}\n`));
    for (;;) {
      const event = readEvent(await this.#nextLine(fd));
      // Id 0: the device did not understand the request, and none but this one is open.
      if (event.id !== id && event.id !== 0) continue;
      yield event;
      if (event.type === "result" || event.type === "error") return;
    }
  }

  async list(): Promise<readonly ListedToolkit[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host makes it, see device-protocol.ts
    const answer = (await this.#ask({ op: "list" })) as { toolkits: readonly ListedToolkit[] };
    return answer.toolkits;
  }

  async describe(toolkit: string): Promise<ToolkitDescription> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host makes it, see device-protocol.ts
    return (await this.#ask({ op: "describe", toolkit })) as ToolkitDescription;
  }

  async search(query: string, limit: number): Promise<FoundTools> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host makes it, see device-protocol.ts
    return (await this.#ask({ op: "search", query, limit })) as FoundTools;
  }

  /** Whether the policy denies a tool. The call has no input that any tool takes: nothing runs. */
  async findDenial(toolkit: string, tool: string): Promise<ToolError | undefined> {
    for await (const event of this.events({ op: "call", toolkit, tool, input: null })) {
      if (event.type === "error" && event.code === "denied") {
        return new ToolError(event.code, event.message);
      }
    }
    return undefined;
  }

  /** Calls under way end with it. */
  async close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) await this.#sys.close(fd);
  }

  async #ask(wish: Wish): Promise<unknown> {
    for await (const event of this.events(wish)) {
      if (event.type === "error") throw new ToolError(event.code, event.message);
      if (event.type !== "result") continue;
      if (event.value?.kind === "json") return event.value.json;
    }
    throw new ToolError("failed", `${TOOLKITS_DEVICE} gave no answer.`);
  }

  async #open(): Promise<number> {
    try {
      this.#fd ??= await this.#openAboveStandard();
      return this.#fd;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new ToolError("unavailable", `Toolkits cannot be reached: ${words(error)}.`);
    }
  }

  /** Never 0, 1 or 2: where one of these is closed, output must not become a request. */
  async #openAboveStandard(): Promise<number> {
    const fd = await this.#sys.open(TOOLKITS_DEVICE, O_RDWR | O_CLOEXEC);
    if (fd > 2) return fd;
    const above = await this.#sys.dup(fd, 3, true);
    await this.#sys.close(fd);
    return above;
  }

  async #nextLine(fd: number): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      const into = this.#into;
      const count = await this.#read(fd, into);
      if (count === 0) throw new ToolError("unavailable", "The host has gone away.");
      this.#take(into.subarray(0, count));
      if (count === into.length && count < READ_BYTES) this.#into = new Uint8Array(READ_BYTES);
    }
  }

  /** A process that was stopped and goes on still waits for the same call. */
  async #read(fd: number, into: Uint8Array): Promise<number> {
    for (;;) {
      try {
        return await this.#sys.read(fd, into);
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  }

  /** Copies what it keeps. */
  #take(bytes: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#lines.push(decodeText(joined([...this.#rest, bytes.subarray(start, end)])));
      this.#rest = [];
      start = end + 1;
    }
    if (start < bytes.length) this.#rest.push(bytes.slice(start));
  }
}

function readEvent(line: string): DeviceEvent {
  const event: DeviceEvent = JSON.parse(line);
  return event;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function words(error: KernelError): string {
  return error.errno === "ENOENT" ? "this VM has none" : error.message;
}
