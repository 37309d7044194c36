// What passes between a client and a server, as far as a shim must know it to stand in when the
// server dies: which requests wait for an answer, and how the client introduced itself.
import { parseBoundedJson } from "../../toolkit-cli/bounded-json.ts";
import { joinLine, type Line } from "../lines.ts";
import { type Id, readEnvelope } from "./envelope.ts";

/** What a dead server owed. */
export interface Debts {
  /** Requests of the client that got no answer. */
  readonly unanswered: readonly Id[];
  /** Requests of the server that the client may still be showing to a person. */
  readonly unasked: readonly Id[];
  /** The client's `initialize`, when that is what the server did not answer. */
  readonly initialize: Line | undefined;
}

/** The ids that are open in both directions on one client's connection, across servers. */
export class Exchange {
  readonly #fromClient = new Map<Id, string>();
  readonly #fromServer = new Set<Id>();
  #initialize: Line | undefined;
  #initialized: Line | undefined;

  /** Whether an answer is due. A subscription is a request that nobody expects to be answered soon. */
  get isAnswerDue(): boolean {
    return [...this.#fromClient.values()].some((method) => method !== "subscriptions/listen");
  }

  /** Notes a line on its way to the server. */
  noteFromClient(line: Line): void {
    const { id, method } = readEnvelope(line);
    if (method === undefined) {
      if (id !== undefined) this.#fromServer.delete(id);
      return;
    }
    if (id !== undefined) this.#fromClient.set(id, method);
    if (method === "initialize") this.#initialize = [copyOf(line)];
    if (method === "notifications/initialized") this.#initialized = [copyOf(line)];
    if (method === "notifications/cancelled") forget(this.#fromClient, line);
  }

  /** Notes a line on its way to the client. */
  noteFromServer(line: Line): void {
    const { id, method } = readEnvelope(line);
    if (method === "notifications/cancelled") forget(this.#fromServer, line);
    if (id === undefined) return;
    if (method === undefined) this.#fromClient.delete(id);
    else this.#fromServer.add(id);
  }

  /** Closes the books on a server that is gone. */
  takeDebts(): Debts {
    const initialize = [...this.#fromClient.values()].includes("initialize")
      ? this.#initialize
      : undefined;
    const unanswered = [...this.#fromClient]
      .filter(([, method]) => method !== "initialize")
      .map(([id]) => id);
    const unasked = [...this.#fromServer];
    this.#fromClient.clear();
    this.#fromServer.clear();
    if (initialize !== undefined) this.#initialize = undefined;
    return { unanswered, unasked, initialize };
  }

  /**
   * What a new server must hear first, for a client of the era that says `initialize` once: that
   * request under another id, and the notification that followed. Undefined for other clients.
   */
  introduction(
    replayId: string,
  ): { readonly initialize: Line; readonly initialized: Line | undefined } | undefined {
    if (this.#initialize === undefined) return undefined;
    const message = { ...parseObject(this.#initialize), id: replayId };
    const initialize = [Buffer.from(`${JSON.stringify(message)}\n`)];
    return { initialize, initialized: this.#initialized };
  }
}

/** The id of the request a line holds; undefined for a notification, an answer, or no JSON-RPC. */
export function requestIdOf(line: Line): Id | undefined {
  const { id, method } = readEnvelope(line);
  return method === undefined ? undefined : id;
}

/** Whether a line is the answer to the request with this id. */
export function isAnswerTo(wanted: Id, line: Line): boolean {
  const { id, method } = readEnvelope(line);
  return id === wanted && method === undefined;
}

/** Closes the request that a notifications/cancelled names. */
function forget(open: Map<Id, string> | Set<Id>, line: Line): void {
  const params = parseObject(line)["params"];
  if (typeof params !== "object" || params === null || !("requestId" in params)) return;
  const { requestId } = params;
  if (typeof requestId === "string" || typeof requestId === "number") open.delete(requestId);
}

/** Without what else came in the same chunk. */
function copyOf(line: Line): Buffer {
  return Buffer.concat(line);
}

/** Empty for what is no JSON object: the server says what is wrong with it. */
function parseObject(line: Line): { readonly [key: string]: unknown } {
  try {
    const value = parseBoundedJson(joinLine(line));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
