// A channel of c-ares: which servers it asks, how long it waits for them, and what is being asked.
import { call } from "../../channel.ts";
import { codedError } from "../../errors.ts";
import { parseIp, parseIp4, parseIp6 } from "../../ip-text.ts";
import { request } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";
import type { Kind } from "./answers.ts";
import { recordTypes } from "./packet.ts";
import { Query, type QueryRequest, type Server } from "./query.ts";

const EBADSTR = 17;
const EINVAL = -22;
const SET_SERVERS_PENDING = -1000;
const DNS_PORT = 53;
const DEFAULT_TIMEOUT_MS = 2000;

export class ChannelWrap extends AsyncWrap {
  readonly timeoutMs: number;
  readonly tries: number;
  readonly longestMs: number;
  #servers: readonly Server[] | undefined;
  readonly #queries = new Set<Query>();

  constructor(timeout: number, tries: number, longest = 0) {
    super("DNSCHANNEL");
    this.timeoutMs = timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS;
    this.tries = tries;
    this.longestMs = longest;
  }

  get servers(): readonly Server[] {
    this.#servers ??= configuredServers();
    return this.#servers;
  }

  getServers(): readonly Server[] {
    return this.servers.map(([address, port]) => [address, port]);
  }

  setServers(servers: readonly (readonly [number, string, number])[]): number {
    if (this.#queries.size > 0) return SET_SERVERS_PENDING;
    if (servers.some(([, address]) => parseIp(address) === undefined)) return EBADSTR;
    this.#servers = servers.map(([, address, port]) => [address, port]);
    return 0;
  }

  /** All that leaves a VM leaves from its loopback: the addresses are checked, and change nothing. */
  setLocalAddress(first: string, second?: string): void {
    const refuse = (message: string): never => {
      throw codedError(TypeError as ErrorConstructor, "ERR_INVALID_ARG_VALUE", message);
    };
    const is4 = parseIp4(first) !== undefined;
    if (!is4 && parseIp6(first) === undefined) refuse("Invalid IP address.");
    if (second === undefined) return;
    if (parseIp(second) === undefined) refuse("Invalid IP address.");
    if (is4 && parseIp4(second) !== undefined) refuse("Cannot specify two IPv4 addresses.");
    if (!is4 && parseIp6(second) !== undefined) refuse("Cannot specify two IPv6 addresses.");
  }

  cancel(): void {
    for (const query of this.#queries) query.cancel();
  }

  /** 0: the request's `oncomplete` will be called. */
  ask(wrap: QueryRequest, kind: Kind, name: string): number {
    const query = new Query(this, wrap, () => this.#queries.delete(query));
    this.#queries.add(query);
    query.start(kind, name);
    return 0;
  }

  /** The names of an address: those that the hosts file gives it, or what its servers say. */
  getHostByAddr(wrap: QueryRequest, address: string): number {
    const bytes = parseIp(address);
    if (bytes === undefined) return EINVAL;
    request("nameOf", [address], (_, name) => {
      if (typeof name === "string") AsyncWrap.within(wrap, () => wrap.oncomplete?.(0, [name]));
      else this.ask(wrap, "PTR", reverseName(bytes));
    });
    return 0;
  }
}

for (const kind of Object.keys(recordTypes) as Kind[]) {
  const name = `query${kind[0]}${kind.slice(1).toLowerCase()}`;
  const method = {
    [name](this: ChannelWrap, wrap: QueryRequest, host: string): number {
      return this.ask(wrap, kind, host);
    },
  };
  Object.defineProperty(ChannelWrap.prototype, name, {
    value: method[name],
    writable: true,
    configurable: true,
  });
}

function reverseName(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes.toReversed().join(".")}.in-addr.arpa`;
  const digits = [...bytes].flatMap((byte) => [byte >> 4, byte & 0xf]);
  return `${digits
    .toReversed()
    .map((digit) => digit.toString(16))
    .join(".")}.ip6.arpa`;
}

/** As c-ares: what resolv.conf names, else a server on the machine itself. */
function configuredServers(): Server[] {
  const found: string[] = call("nameServers");
  const servers = found.filter((one) => parseIp(one) !== undefined);
  return (servers.length > 0 ? servers : ["127.0.0.1"]).map((one) => [one, DNS_PORT]);
}
