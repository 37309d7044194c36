import { isKernelError, type Limits } from "../../../kernel/index.ts";
import type { ToolFailure } from "../../../toolkit-cli/tool-event.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";
import {
  type BrokerMethods,
  COMMAND_CHARACTERS,
  type ToolEventsReply,
} from "../../wire/requests.ts";
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
  #lastCall = 0;
  /** The pieces of one long request at a time. */
  #putting: Promise<void> = Promise.resolve();

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
      let reply: ToolEventsReply = await this.#begin(request, call, held);
      while (!reply.value.isEnd) {
        await take(reply.body, false);
        reply = await this.#requests.request("nextToolEvents", { call: call.number });
      }
      call.isOver = true;
      await take(reply.body, true);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await take(
        failureLine(request.id, "failed", `The host refused the call (${error.errno}).`),
        true,
      );
    } finally {
      this.#passTurn();
    }
  }

  #begin({ id, line, pid, argv }: ToolRequest, call: Call, held: number) {
    this.#lastCall += 1;
    call.number = this.#lastCall;
    const params = {
      call: call.number,
      id,
      pid,
      command: shownCommand(argv),
      audited: this.#audited(),
    };
    if (line.length > CHUNK_BYTES) return this.#beginLong(line, params, held);
    const reply = this.#requests.request("openToolCall", params, line);
    // On the wire it is a copy.
    this.letGo(held);
    return reply;
  }

  async #beginLong(line: Uint8Array, params: OpenParams, held: number) {
    const before = this.#putting;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#putting = promise;
    try {
      await before;
      const { call } = params;
      let at = 0;
      for (; line.length - at > CHUNK_BYTES; at += CHUNK_BYTES) {
        await this.#requests.request(
          "putToolRequest",
          { call },
          line.subarray(at, at + CHUNK_BYTES),
        );
      }
      return this.#requests.request("openToolCall", params, line.subarray(at));
    } finally {
      this.letGo(held);
      resolve();
    }
  }

  #cancel(call: Call): void {
    if (call.isCancelled || call.isOver) return;
    call.isCancelled = true;
    if (call.number === 0) return;
    this.#requests.request("cancelToolCall", { call: call.number }).catch((error: unknown) => {
      if (!isKernelError(error)) throw error;
    });
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }
}

type OpenParams = BrokerMethods["openToolCall"]["params"];

class Call {
  /** What the server knows it by; 0 before it does. */
  number = 0;
  isCancelled = false;
  isOver = false;
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
