// What passes between a client and a server, as far as a shim must know it to stand in when the
// server dies: which requests wait for an answer, and how the client introduced itself.

type Id = string | number;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** What a dead server owed. */
export interface Debts {
  /** Requests of the client that got no answer. */
  readonly unanswered: readonly Id[];
  /** Requests of the server that the client may still be showing to a person. */
  readonly unasked: readonly Id[];
  /** The client's `initialize`, when that is what the server did not answer. */
  readonly initialize: Buffer | undefined;
}

/** The ids that are open in both directions on one client's connection, across servers. */
export class Exchange {
  readonly #fromClient = new Map<Id, string>();
  readonly #fromServer = new Set<Id>();
  #initialize: Buffer | undefined;
  #initialized: Buffer | undefined;

  /** Whether an answer is due. A subscription is a request that nobody expects to be answered soon. */
  get isAnswerDue(): boolean {
    return [...this.#fromClient.values()].some((method) => method !== "subscriptions/listen");
  }

  /** Notes a line on its way to the server. */
  noteFromClient(line: Buffer): void {
    const { id, method, params } = parseMessage(line);
    if (typeof method !== "string") {
      if (isId(id)) this.#fromServer.delete(id);
      return;
    }
    if (isId(id)) this.#fromClient.set(id, method);
    if (method === "initialize") this.#initialize = line;
    if (method === "notifications/initialized") this.#initialized = line;
    if (method === "notifications/cancelled") this.#forget(this.#fromClient, params);
  }

  /** Notes a line on its way to the client. */
  noteFromServer(line: Buffer): void {
    const { id, method, params } = parseMessage(line);
    if (method === "notifications/cancelled") this.#forget(this.#fromServer, params);
    if (!isId(id)) return;
    if (typeof method === "string") this.#fromServer.add(id);
    else this.#fromClient.delete(id);
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
  ): { readonly initialize: string; readonly initialized: Buffer | undefined } | undefined {
    if (this.#initialize === undefined) return undefined;
    const message = { ...parseMessage(this.#initialize), id: replayId };
    return { initialize: JSON.stringify(message), initialized: this.#initialized };
  }

  #forget(open: Map<Id, string> | Set<Id>, params: unknown): void {
    if (typeof params !== "object" || params === null || !("requestId" in params)) return;
    if (isId(params.requestId)) open.delete(params.requestId);
  }
}

/** The id of the request a line holds; undefined for a notification, an answer, or no JSON-RPC. */
export function requestIdOf(line: Buffer): Id | undefined {
  const { id, method } = parseMessage(line);
  return isId(id) && typeof method === "string" ? id : undefined;
}

/** Whether a line is the answer to the request with this id. */
export function isAnswerTo(id: Id, line: Buffer): boolean {
  const message = parseMessage(line);
  return message.id === id && message.method === undefined;
}

/** A line that is no JSON object passes untouched: the server says what is wrong with it. */
function parseMessage(line: Buffer): Message {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}
