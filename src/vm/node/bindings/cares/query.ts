// One question of a channel: asked of its servers in turn until one answers.
import { type CallError, call } from "../../channel.ts";
import { cancel, request } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { type Answer, answerOf, type Kind } from "./answers.ts";
import { BadPacket, packQuestion, parsePacket, recordTypes } from "./packet.ts";

export interface QueryRequest extends AsyncWrap {
  oncomplete?: (error: string | 0, value?: unknown, ttls?: unknown) => void;
}

export type Server = readonly [address: string, port: number];

/** What a query needs of its channel. */
interface Channel {
  readonly servers: readonly Server[];
  readonly timeoutMs: number;
  readonly longestMs: number;
  readonly tries: number;
}

/** RCODE, see RFC 1035 4.1.1. */
const codes: Readonly<Record<number, string>> = {
  1: "EFORMERR",
  2: "ESERVFAIL",
  3: "ENOTFOUND",
  4: "ENOTIMP",
  5: "EREFUSED",
};
/** Errors after which another server may know better. */
const retried = new Set(["ESERVFAIL", "ENOTIMP", "EREFUSED", "ETIMEOUT", "ECONNREFUSED"]);

export class Query {
  readonly #channel: Channel;
  readonly #wrap: QueryRequest;
  readonly #ended: () => void;
  #kind: Kind = "A";
  #question: Uint8Array | undefined;
  #tried = 0;
  #underWay: number | undefined;

  constructor(channel: Channel, wrap: QueryRequest, ended: () => void) {
    this.#channel = channel;
    this.#wrap = wrap;
    this.#ended = ended;
  }

  start(kind: Kind, name: string): void {
    const ascii: string = call("domainToAscii", name) || name;
    const [high = 0, low = 0]: Uint8Array = call("random", 2);
    this.#kind = kind;
    this.#question = packQuestion((high << 8) | low, ascii, recordTypes[kind]);
    if (/(^|\.)onion\.?$/i.test(ascii)) this.#later("ENOTFOUND");
    else if (this.#question === undefined) this.#later("EBADNAME");
    else this.#askNext();
  }

  cancel(): void {
    if (this.#underWay !== undefined) cancel(this.#underWay);
    this.#later("ECANCELLED");
  }

  #later(error: string): void {
    this.#underWay = request("nothing", [], () => this.#end(error));
  }

  #askNext(): void {
    const { servers, timeoutMs, longestMs } = this.#channel;
    const [address, port] = servers[this.#tried % servers.length] ?? ["127.0.0.1", 53];
    const grown = timeoutMs * 2 ** Math.floor(this.#tried / Math.max(1, servers.length));
    const wait = longestMs > 0 ? Math.min(grown, longestMs) : grown;
    this.#tried += 1;
    const args = [address, port, this.#question ?? new Uint8Array(0), Math.round(wait)];
    this.#underWay = request("askNameServer", args, (error, bytes) => this.#take(error, bytes));
  }

  #take(error: CallError | undefined, bytes: Uint8Array): void {
    const result = error === undefined ? read(this.#kind, bytes) : errorOf(error);
    const isRetried = typeof result === "string" && retried.has(result);
    const { servers, tries } = this.#channel;
    if (isRetried && this.#tried < tries * Math.max(1, servers.length)) return this.#askNext();
    if (typeof result === "string") this.#end(result);
    else this.#end(0, result);
  }

  #end(error: string | 0, answer?: Answer): void {
    this.#underWay = undefined;
    this.#ended();
    const values = answer === undefined ? [] : [answer.value, answer.ttls];
    AsyncWrap.within(this.#wrap, () => this.#wrap.oncomplete?.(error, ...values));
  }
}

function errorOf({ code }: CallError): string {
  return code === "ETIMEDOUT" ? "ETIMEOUT" : "ECONNREFUSED";
}

function read(kind: Kind, bytes: Uint8Array): Answer | string {
  try {
    const { code, answers } = parsePacket(bytes);
    if (code !== 0) return codes[code] ?? "EBADRESP";
    return answerOf(kind, answers) ?? "ENODATA";
  } catch (error) {
    if (error instanceof BadPacket) return "EBADRESP";
    throw error;
  }
}
