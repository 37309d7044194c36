import { isKernelError, KernelError, type Limits } from "../../../kernel/index.ts";
import type { Stream } from "../../../streams/index.ts";
import type { ToolFailure } from "../../../toolkit-cli/tool-event.ts";
import type { BrokerParams } from "../../wire/broker-methods.ts";
import { CHUNK_BYTES, COMMAND_CHARACTERS, eventTags } from "../../wire/messages.ts";
import type { ServerRequests } from "../server-requests.ts";

/** What a request takes beside its bytes while it is held. */
const REQUEST_BYTES = 512;

export interface ToolRequest {
  readonly id: number;
  /** The request as the guest wrote it, without its end of line. Nobody changes it any more. */
  readonly line: Uint8Array;
  readonly pid: number;
  readonly argv: readonly string[];
}

/**
 * Takes a part of a call's events, which may end within a line; resolves when there is room for the
 * next.
 */
export type TakeEvents = (bytes: Uint8Array, isEnd: boolean) => Promise<void>;

export interface OpenCall {
  /** Its events end soon with one that says so. */
  cancel(): void;
}

/** A VM's calls of tools: as many as the server takes are under way, the others wait here. */
export class ToolCalls {
  readonly #requests: ServerRequests;
  readonly #limits: Limits;
  readonly #audited: () => number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(requests: ServerRequests, limits: Limits, audited: () => number) {
    this.#requests = requests;
    this.#limits = limits;
    this.#audited = audited;
  }

  /** Counts bytes of requests that are held, or fails with ENOBUFS. */
  hold(bytes: number): void {
    this.#limits.charge("maxToolRequestBytes", bytes);
  }

  letGo(bytes: number): void {
    this.#limits.discharge("maxToolRequestBytes", bytes);
  }

  /** ENOBUFS when too much is held already. */
  open(request: ToolRequest, take: TakeEvents): OpenCall {
    this.hold(REQUEST_BYTES + request.line.length);
    const call = new Call();
    this.#run(request, call, take).catch((error: unknown) => {
      if (!isKernelError(error)) throw error;
    });
    return { cancel: () => this.#cancel(call) };
  }

  async #run(request: ToolRequest, call: Call, take: TakeEvents): Promise<void> {
    const held = REQUEST_BYTES + request.line.length;
    if (this.#underWay < this.#limits.values.maxToolCalls) this.#underWay += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (call.isCancelled) {
        this.letGo(held);
        await take(failureLine(request.id, "cancelled", "The caller gave up."), true);
        return;
      }
      await this.#perform(request, call, { take, held });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await take(
        failureLine(request.id, "failed", `The host refused the call (${error.errno}).`),
        true,
      );
    } finally {
      call.isOver = true;
      this.#passTurn();
    }
  }

  /** Sends the request and takes its events. As the server refuses; EPIPE when it ends without a last event. */
  async #perform(request: ToolRequest, call: Call, { take, held }: Taking): Promise<void> {
    const isWhole = request.line.length <= CHUNK_BYTES;
    const stream = this.#requests.openStream({ hasNoOutput: isWhole });
    call.stream = stream.id;
    const taken = takeEvents(stream, take);
    // Its failure is looked at below.
    taken.catch(() => undefined);
    try {
      await this.#send(request, stream, held);
      await taken;
    } finally {
      stream.close();
    }
  }

  async #send({ id, line, pid, argv }: ToolRequest, stream: Stream, held: number): Promise<void> {
    const params: BrokerParams<"toolkit.open"> = {
      stream: stream.id,
      bytes: line.length,
      id,
      pid,
      command: shownCommand(argv),
      audited: this.#audited(),
    };
    await this.#requests.requestByStream("toolkit.open", params, {
      body: line,
      stream,
      sent: () => this.letGo(held),
    });
  }

  #cancel(call: Call): void {
    if (call.isCancelled || call.isOver) return;
    call.isCancelled = true;
    if (call.stream === 0) return;
    this.#requests.request("toolkit.cancel", { stream: call.stream }).catch((error: unknown) => {
      if (!isKernelError(error)) throw error;
    });
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }
}

interface Taking {
  readonly take: TakeEvents;
  /** Bytes of the request that are held until it is sent. */
  readonly held: number;
}

class Call {
  /** What the server knows it by; 0 before it does. */
  stream = 0;
  isCancelled = false;
  isOver = false;
}

const LINE_FEED = 0x0a;

/** Resolves when the last event has been taken. */
function takeEvents(stream: Stream, take: TakeEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    let hasLast = false;
    stream.incoming.consume({
      take: (bytes, tag) => {
        // An event has one line feed, its last byte.
        hasLast = tag === eventTags.last && bytes.at(-1) === LINE_FEED;
        return take(bytes.slice(), hasLast);
      },
      ended: () => (hasLast ? resolve() : reject(new KernelError("EPIPE"))),
      failed: reject,
    });
  });
}

const encoder = new TextEncoder();

/** A last event that no server made. */
export function failureLine(id: number, code: ToolFailure["code"], message: string): Uint8Array {
  const event: ToolFailure = { type: "error", code, message };
  return encoder.encode(`${JSON.stringify({ id, ...event })}\n`);
}

/** A command's name and its first word, as in `agentos-project list-issues`: the others may hold secrets. */
function shownCommand([name = "", first = ""]: readonly string[]): string {
  const command = name.slice(name.lastIndexOf("/") + 1);
  const words = first === "" || first.startsWith("-") ? command : `${command} ${first}`;
  return words.length <= COMMAND_CHARACTERS ? words : `${words.slice(0, COMMAND_CHARACTERS - 1)}…`;
}
