// What Node's resolve functions make of an answer's records.
import { ipText } from "../../ip-text.ts";
import { type Record as DnsRecord, recordTypes } from "./packet.ts";

type Make = (record: DnsRecord) => unknown;
type Fields = Readonly<globalThis.Record<string, unknown>>;

const address: Make = ({ data }) => ipText(data.rest());
const name: Make = ({ data }) => data.name();

const fields = {
  MX: ({ data }: DnsRecord): Fields => {
    const priority = data.int16();
    return { exchange: data.name(), priority };
  },
  SRV: ({ data }: DnsRecord): Fields => {
    const [priority, weight, port] = [data.int16(), data.int16(), data.int16()];
    return { name: data.name(), port, priority, weight };
  },
  NAPTR: ({ data }: DnsRecord): Fields => {
    const [order, preference] = [data.int16(), data.int16()];
    const [flags, service, regexp] = [data.text(), data.text(), data.text()];
    return { flags, service, regexp, replacement: data.name(), order, preference };
  },
  SOA: ({ data }: DnsRecord): Fields => {
    const [nsname, hostmaster] = [data.name(), data.name()];
    const [serial, refresh, retry] = [data.int32(), data.int32(), data.int32()];
    const [expire, minttl] = [data.int32(), data.int32()];
    return { nsname, hostmaster, serial, refresh, retry, expire, minttl };
  },
  CAA: ({ data }: DnsRecord): Fields => {
    const critical = data.int8();
    const tag = data.text();
    return { critical, [tag]: String.fromCharCode(...data.rest()) };
  },
  TLSA: ({ data }: DnsRecord): Fields => {
    const [certUsage, selector, match] = [data.int8(), data.int8(), data.int8()];
    return { certUsage, selector, match, data: data.rest().buffer };
  },
} as const;

const texts: Make = ({ data }) => {
  const entries: string[] = [];
  while (!data.isAtEnd) entries.push(data.text());
  return entries;
};

const makers: Readonly<globalThis.Record<string, Make>> = {
  A: address,
  AAAA: address,
  CNAME: name,
  NS: name,
  PTR: name,
  TXT: texts,
  ...fields,
};

export type Kind = keyof typeof recordTypes;

export interface Answer {
  readonly value: unknown;
  /** The lives of addresses, in seconds. */
  readonly ttls?: readonly number[];
}

/** Undefined when there are no records of this kind. Throws BadPacket. */
export function answerOf(kind: Kind, records: readonly DnsRecord[]): Answer | undefined {
  if (kind === "ANY") {
    const value = everyKind(records);
    return value.length === 0 ? undefined : { value };
  }
  const found = records.filter(({ type }) => type === recordTypes[kind]);
  const make = makers[kind];
  if (make === undefined || (found.length === 0 && !isList(kind, records))) return undefined;
  const values = found.map(make);
  if (kind === "SOA") return { value: values[0] };
  const isAddress = kind === "A" || kind === "AAAA";
  return isAddress ? { value: values, ttls: found.map(({ ttl }) => ttl) } : { value: values };
}

/** Those that c-ares parses into a list, which is empty when an answer is of other kinds. */
function isList(kind: Kind, records: readonly DnsRecord[]): boolean {
  return records.length > 0 && kind !== "SOA" && (kind in fields || kind === "TXT");
}

/** The order in which Node looks for the records of an answer to ANY. */
const anyOrder: readonly Kind[] = [
  "A",
  "CNAME",
  "AAAA",
  "MX",
  "NS",
  "TXT",
  "SRV",
  "PTR",
  "NAPTR",
  "SOA",
  "TLSA",
  "CAA",
];

function everyKind(records: readonly DnsRecord[]): unknown[] {
  const hasAddress = records.some(({ type }) => type === recordTypes.A);
  const kinds = anyOrder.filter((kind) => kind !== "CNAME" || !hasAddress);
  return kinds.flatMap((kind) => {
    const found = records.filter(({ type }) => type === recordTypes[kind]);
    return found.map((record) => described(kind, record));
  });
}

function described(kind: Kind, record: DnsRecord): unknown {
  const value = makers[kind]?.(record);
  if (kind === "A" || kind === "AAAA") return { address: value, ttl: record.ttl, type: kind };
  if (kind === "TXT") return { entries: value, type: kind };
  if (kind in fields) return { ...(value as Fields), type: kind };
  return { value, type: kind };
}
