/**
 * The way of one sandbox to the network: an HTTP proxy (requests and CONNECT) on a socket of this host, open
 * for the hosts that the operator names and no other.
 */
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HostRules } from "./host-rules.ts";
import {
  type EgressRules,
  type Lookup,
  lookUpHost,
  resolveTarget,
  type Target,
} from "./resolve-target.ts";

export interface EgressOptions {
  /** Where it listens: a path that only this user can reach. */
  readonly socket: string;
  readonly allow: readonly string[];
  readonly private: readonly string[];
  /** Each decision, the first time it is made. */
  readonly record: (
    isAllowed: boolean,
    facts: { readonly host: string; readonly why: string },
  ) => void;
  readonly lookup?: Lookup;
}

const CONNECTIONS = 256;
const CONNECT_LIMIT_MS = 15_000;
/** A tunnel that carries nothing for that long is closed. */
const SILENCE_LIMIT_MS = 600_000;
/** Decisions that are told apart; a sandbox that goes through names fills no log. */
const RECORDED = 500;
const HEADER_LIMIT_BYTES = 32 * 1024;
/** Requests of one connection that wait for their answers; apt(8) sends 10. */
const LINE_LIMIT = 32;

interface Line {
  length: number;
  last: Promise<void>;
}

/** RFC 9110 §7.6.1, and what proxies of old have beside it; the transfer coding is made anew. */
const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

export class EgressProxy {
  readonly #options: EgressOptions;
  readonly #rules: EgressRules;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #recorded = new Set<string>();
  /** The requests of each connection that are not answered yet. */
  readonly #lines = new WeakMap<Socket, Line>();

  private constructor(options: EgressOptions) {
    this.#options = options;
    this.#rules = { allow: new HostRules(options.allow), private: new HostRules(options.private) };
    this.#server = createServer({ maxHeaderSize: HEADER_LIMIT_BYTES });
    this.#server.maxConnections = CONNECTIONS;
    this.#server.on("connection", (socket) => this.#hold(socket));
    this.#server.on("request", (incoming, response) => {
      this.#inOrder(incoming.socket, () => this.#forward(incoming, response)).catch(() =>
        response.destroy(),
      );
    });
    this.#server.on("connect", (incoming, socket, head) => {
      this.#tunnel(incoming, socket, head).catch(() => socket.destroy());
    });
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  /** Listens when it resolves. */
  static async open(options: EgressOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(options.socket, resolve);
    });
    return proxy;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * Requests that a connection sends at once are answered one after the other: each takes a descriptor of this host.
   * Node reads on whatever waits, so a connection that sends too many ends.
   */
  async #inOrder(socket: Socket, answer: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(socket) ?? { length: 0, last: Promise.resolve() };
    this.#lines.set(socket, line);
    line.length += 1;
    if (line.length > LINE_LIMIT) return void socket.destroy();
    const mine = line.last.then(async () => {
      if (!socket.destroyed && !socket.writableEnded) await answer();
    });
    line.last = mine.catch(() => undefined);
    try {
      await mine;
    } finally {
      line.length -= 1;
    }
  }

  /** Resolves when the answer is sent, or nobody waits for it. */
  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(incoming.url ?? "");
    if (url?.protocol !== "http:")
      return refuse(response, 400, "This proxy takes http:// requests and CONNECT.");
    const port = url.port === "" ? 80 : Number(url.port);
    const target = await this.#decide(url.hostname, port);
    if (!target.isAllowed) return refuse(response, 403, refusalOf(url.host, target));
    const headers = passedHeaders(incoming.rawHeaders, url.host);
    const outgoing = request({
      host: target.address,
      port,
      method: incoming.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers,
      setHost: false,
      agent: false,
      timeout: SILENCE_LIMIT_MS,
    });
    outgoing.on("socket", (socket) => this.#hold(socket));
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", () => refuse(response, 502, `${url.host} cannot be reached.`));
    outgoing.on("upgrade", (_, socket) => {
      socket.destroy();
      refuse(response, 502, `${url.host} changes to a protocol that nobody asked for.`);
    });
    outgoing.on("response", (answer) => passAnswer(answer, response));
    incoming.pipe(outgoing);
    await untilClosed(response, incoming.socket);
    outgoing.destroy();
  }

  async #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const place = /^(\[[0-9a-f:.]+\]|[^:@/\s]+):(\d{1,5})$/i.exec(incoming.url ?? "");
    const [, host = "", port = "0"] = place ?? [];
    if (place === null) return void socket.end(answerOf(400, "CONNECT needs host:port."));
    const target = await this.#decide(host, Number(port));
    if (!target.isAllowed)
      return void socket.end(answerOf(403, refusalOf(`${host}:${port}`, target)));
    const outgoing = await reach(target.address, Number(port));
    if (outgoing === undefined) return void socket.end(answerOf(502, `${host} cannot be reached.`));
    this.#hold(outgoing);
    outgoing.setTimeout(SILENCE_LIMIT_MS, () => outgoing.destroy());
    outgoing.on("error", () => outgoing.destroy()).on("close", () => socket.destroy());
    socket.on("close", () => outgoing.destroy());
    if (socket.destroyed) return void outgoing.destroy();
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    outgoing.write(head);
    outgoing.pipe(socket);
    socket.pipe(outgoing);
  }

  async #decide(host: string, port: number): Promise<Target> {
    const { lookup = lookUpHost, record } = this.#options;
    const target = await resolveTarget(host, port, { rules: this.#rules, lookup });
    const why = target.isAllowed ? target.address : target.why;
    const key = `${host}:${port} ${why}`;
    if (!this.#recorded.has(key) && this.#recorded.size < RECORDED) {
      this.#recorded.add(key);
      record(target.isAllowed, { host: `${host}:${port}`, why });
    }
    return target;
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** An answer that is not the connection's turn yet is not told of the connection's end. */
function untilClosed(response: ServerResponse, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("close", done);
      resolve();
    };
    response.once("close", done);
    socket.once("close", done);
    if (socket.destroyed || response.closed) done();
  });
}

/** The host's word: what is no answer that can be passed on ends the connection, and nothing else. */
function passAnswer(answer: IncomingMessage, response: ServerResponse): void {
  answer.on("error", () => response.destroy());
  try {
    response.writeHead(answer.statusCode ?? 502, passedHeaders(answer.rawHeaders, undefined));
  } catch {
    answer.destroy();
    return refuse(response, 502, "The host's answer is none of HTTP's.");
  }
  answer.pipe(response);
}

/** Undefined where nobody answers. */
function reach(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    const give = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, give);
    socket.once("error", give);
    socket.once("connect", () => {
      socket.setTimeout(0).off("error", give);
      resolve(socket);
    });
  });
}

/** As they came, but for those that are between us and one side; `host` is what the URL says. */
function passedHeaders(raw: readonly string[], host: string | undefined): string[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  const named = new Set(
    pairs
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.toLowerCase().split(","))
      .map((name) => name.trim()),
  );
  const kept = pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    if (hopHeaders.has(lower) || named.has(lower)) return false;
    return host === undefined || lower !== "host";
  });
  return [...(host === undefined ? [] : ["Host", host]), ...kept.flat()];
}

function refusalOf(host: string, { why, list }: Target & { isAllowed: false }): string {
  const refusal = `The sandbox may not connect to ${host}: ${why}.`;
  return list === undefined
    ? refusal
    : `${refusal} The operator can add it to sandbox.network.${list}.`;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain", connection: "close" });
  response.end(`${text}\n`);
}

function answerOf(status: number, text: string): string {
  const reason = status === 400 ? "Bad Request" : status === 403 ? "Forbidden" : "Bad Gateway";
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${text}\n`;
}
