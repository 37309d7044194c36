// A channel of c-ares: which servers it asks. A VM has no network: nobody answers.
import { call } from "../../channel.ts";
import { parseIp } from "../../ip-text.ts";
import { cancel, request } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";

interface Query extends AsyncWrap {
  oncomplete?: (error: string) => void;
}

type Server = readonly [address: string, port: number];

const EBADSTR = 17;
const EBADNAME = 8;
const SET_SERVERS_PENDING = -1000;
const DNS_PORT = 53;

export class ChannelWrap extends AsyncWrap {
  #servers: readonly Server[] | undefined;
  readonly #queries = new Map<Query, number>();

  constructor(_timeout: number, _tries: number, _maxTimeout?: number) {
    super("DNSCHANNEL");
  }

  getServers(): readonly Server[] {
    this.#servers ??= configuredServers();
    return this.#servers.map(([address, port]) => [address, port]);
  }

  setServers(servers: readonly (readonly [number, string, number])[]): number {
    if (this.#queries.size > 0) return SET_SERVERS_PENDING;
    if (servers.some(([, address]) => parseIp(address) === undefined)) return EBADSTR;
    this.#servers = servers.map(([, address, port]) => [address, port]);
    return 0;
  }

  setLocalAddress(..._addresses: readonly (string | undefined)[]): void {}

  cancel(): void {
    for (const [query, id] of this.#queries) {
      cancel(id);
      request("nothing", [], () => this.#finish(query, "ECANCELLED"));
    }
    this.#queries.clear();
  }

  /** 0: `query.oncomplete` will be called. */
  ask(query: Query, name: string): number {
    if (name.length > 255) return EBADNAME;
    const id = request("nothing", [], () => {
      this.#queries.delete(query);
      this.#finish(query, "ECONNREFUSED");
    });
    this.#queries.set(query, id);
    return 0;
  }

  #finish(query: Query, error: string): void {
    AsyncWrap.within(query, () => query.oncomplete?.(error));
  }
}

const queries = [
  "A",
  "Any",
  "Aaaa",
  "Caa",
  "Cname",
  "Mx",
  "Naptr",
  "Ns",
  "Ptr",
  "Srv",
  "Soa",
  "Tlsa",
  "Txt",
];

for (const name of ["getHostByAddr", ...queries.map((one) => `query${one}`)]) {
  const method = {
    [name](this: ChannelWrap, query: Query, host: string): number {
      return this.ask(query, host);
    },
  };
  Object.defineProperty(ChannelWrap.prototype, name, {
    value: method[name],
    writable: true,
    configurable: true,
  });
}

/** As c-ares: what resolv.conf names, else a server on the machine itself. */
function configuredServers(): Server[] {
  const found: string[] = call("nameServers");
  const servers = found.filter((one) => parseIp(one) !== undefined);
  return (servers.length > 0 ? servers : ["127.0.0.1"]).map((one) => [one, DNS_PORT]);
}
