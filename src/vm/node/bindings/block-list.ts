import { codedError } from "../errors.ts";
import { ipText, parseIp4, parseIp6 } from "../ip-text.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { travelsByReference } from "./messaging/by-reference.ts";

const values = staticsOf("block_list");
const AF_INET: number = values["AF_INET"];
/** ::ffff:0:0/96, where IPv6 has the addresses of IPv4. */
const MAPPED = 0xffffn << 32n;
const BITS = 128;
const BITS4 = 32;

/** An address as a number of IPv6. */
interface Point {
  readonly text: string;
  readonly family: number;
  readonly value: bigint;
}

class SocketAddress {
  readonly #point: Point;
  readonly #port: number;
  readonly #flowLabel: number;

  constructor(address: string, port: number, family: number, flowLabel: number) {
    const point = pointOf(address, family);
    if (point === undefined) throw codedError(Error, "ERR_INVALID_ADDRESS", "Invalid address");
    this.#point = point;
    this.#port = port;
    this.#flowLabel = flowLabel;
    travelsByReference(this);
  }

  static pointOf(address: SocketAddress): Point {
    return address.#point;
  }

  detail(out: Record<string, unknown>): Record<string, unknown> {
    const { text: address, family } = this.#point;
    return Object.assign(out, { address, port: this.#port, family, flowlabel: this.#flowLabel });
  }

  legacyDetail(): Record<string, unknown> {
    const { text: address, family } = this.#point;
    return { address, family: nameOf(family), port: this.#port };
  }

  flowlabel(): number {
    return this.#flowLabel;
  }
}

function pointOf(address: string, family: number): Point | undefined {
  const bytes = family === AF_INET ? parseIp4(address) : parseIp6(address);
  if (bytes === undefined) return undefined;
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return { text: ipText(bytes), family, value: family === AF_INET ? MAPPED | number : number };
}

function isMapped({ value }: Point): boolean {
  return value >> 32n === MAPPED >> 32n;
}

function nameOf(family: number): string {
  return family === AF_INET ? "IPv4" : "IPv6";
}

interface Range {
  readonly start: Point;
  readonly end: Point;
}

interface Subnet {
  readonly network: Point;
  readonly prefix: number;
  /** The first bits of all that are in it, and how many follow. */
  readonly head: bigint;
  readonly rest: bigint;
}

class BlockList {
  readonly #addresses = new Map<bigint, Point>();
  #ranges: Range[] = [];
  #subnets: Subnet[] = [];

  /** As in Node, a clone is the same list. */
  constructor() {
    travelsByReference(this);
  }

  addAddress(address: SocketAddress): boolean {
    const point = SocketAddress.pointOf(address);
    this.#addresses.set(point.value, point);
    return true;
  }

  addAddresses(addresses: readonly SocketAddress[]): boolean {
    for (const address of addresses) this.addAddress(address);
    return true;
  }

  removeAddress(address: SocketAddress): void {
    this.#addresses.delete(SocketAddress.pointOf(address).value);
  }

  addRange(from: SocketAddress, to: SocketAddress): boolean {
    const [start, end] = [SocketAddress.pointOf(from), SocketAddress.pointOf(to)];
    if (isComparable(start, end) && start.value > end.value) return false;
    this.#ranges.unshift({ start, end });
    return true;
  }

  removeRange(from: SocketAddress, to: SocketAddress): void {
    const [start, end] = [SocketAddress.pointOf(from), SocketAddress.pointOf(to)];
    const isIt = (one: Range): boolean => isSame(one.start, start) && isSame(one.end, end);
    const at = this.#ranges.findIndex(isIt);
    if (at >= 0) this.#ranges.splice(at, 1);
  }

  addSubnet(address: SocketAddress, prefix: number): boolean {
    const network = SocketAddress.pointOf(address);
    const rest = BigInt((network.family === AF_INET ? BITS4 : BITS) - prefix);
    this.#subnets.unshift({ network, prefix, head: network.value >> rest, rest });
    return true;
  }

  removeSubnet(address: SocketAddress, prefix: number): void {
    const network = SocketAddress.pointOf(address);
    const isIt = (one: Subnet): boolean => isSame(one.network, network) && one.prefix === prefix;
    const at = this.#subnets.findIndex(isIt);
    if (at >= 0) this.#subnets.splice(at, 1);
  }

  check(address: SocketAddress): boolean {
    return this.#has(SocketAddress.pointOf(address));
  }

  checkString(address: string, family: number): boolean {
    const point = pointOf(address, family);
    return point !== undefined && this.#has(point);
  }

  #has(point: Point): boolean {
    if (this.#addresses.has(point.value)) return true;
    if (this.#subnets.some(({ head, rest }) => point.value >> rest === head)) return true;
    return this.#ranges.some(({ start, end }) => {
      if (!isComparable(point, start) || !isComparable(point, end)) return false;
      return point.value >= start.value && point.value <= end.value;
    });
  }

  getRules(): string[] {
    const addresses = [...this.#addresses.values()].map(
      ({ family, text }) => `Address: ${nameOf(family)} ${text}`,
    );
    const subnets = this.#subnets.map(
      ({ network: { family, text }, prefix }) => `Subnet: ${nameOf(family)} ${text}/${prefix}`,
    );
    const ranges = this.#ranges.map(
      ({ start, end }) => `Range: ${nameOf(start.family)} ${start.text}-${end.text}`,
    );
    return [...addresses, ...subnets, ...ranges];
  }

  getSize(): number {
    return this.#addresses.size + this.#subnets.length + this.#ranges.length;
  }

  clear(): void {
    this.#addresses.clear();
    this.#ranges = [];
    this.#subnets = [];
  }
}

function isSame(one: Point, other: Point): boolean {
  return one.family === other.family && one.value === other.value;
}

/** Addresses of the two families are, where the one of IPv6 means one of IPv4. */
function isComparable(one: Point, other: Point): boolean {
  return one.family === other.family || (isMapped(one) && isMapped(other));
}

export const blockList = (): Binding => ({ ...values, BlockList, SocketAddress });
