// getaddrinfo(3) and getnameinfo(3) of a VM: literal addresses, and what /etc/hosts says.
import { uvErrors } from "../../errors.ts";
import { ipText, parseIp, parseIp4 } from "../../ip-text.ts";
import { request } from "../../requests.ts";
import { staticsOf } from "../../statics.ts";
import { AsyncWrap } from "../async-wrap.ts";

const { DNS_ORDER_IPV4_FIRST, DNS_ORDER_IPV6_FIRST } = staticsOf("cares_wrap");
const numbers = new Map([...uvErrors].map(([number, [name]]) => [name, number]));
const EAI_NONAME = numbers.get("EAI_NONAME") ?? -3008;
const EAI_ADDRFAMILY = numbers.get("EAI_ADDRFAMILY") ?? -3000;
const EINVAL = numbers.get("EINVAL") ?? -22;

interface Lookup extends AsyncWrap {
  oncomplete?: (status: number, ...values: unknown[]) => void;
}

/** `family` is 0, 4 or 6. */
export function getaddrinfo(req: Lookup, host: string, family: number, ...rest: number[]): number {
  const order = rest[1] ?? 0;
  const literal = parseHost(host);
  const answer = (found: readonly string[]): void => {
    const addresses = inOrder(
      found.filter((one) => family === 0 || familyOf(one) === family),
      order,
    );
    const missing = found.length > 0 && literal !== undefined ? EAI_ADDRFAMILY : EAI_NONAME;
    const status = addresses.length === 0 ? missing : 0;
    AsyncWrap.within(req, () => req.oncomplete?.(status, status === 0 ? addresses : null));
  };
  if (literal !== undefined) request("nothing", [], () => answer([literal]));
  else
    request("addressesOf", [host], (_, found) => answer(sorted((found ?? []).filter(isAddress))));
  return 0;
}

export function getnameinfo(req: Lookup, address: string, port: number): number {
  const bytes = parseIp(address);
  if (bytes === undefined) return EINVAL;
  const done = (status: number, ...names: unknown[]): void => {
    AsyncWrap.within(req, () => req.oncomplete?.(status, ...names));
  };
  request("nameOf", [ipText(bytes)], (_, name) => {
    if (typeof name !== "string") return done(EAI_NONAME, null, null);
    request("serviceOf", [port], (__, service) => done(0, name, service ?? String(port)));
  });
  return 0;
}

function isAddress(text: string): boolean {
  return parseIp(text) !== undefined;
}

function familyOf(address: string): number {
  return address.includes(":") ? 6 : 4;
}

/** IPv6 first, as RFC 6724 and glibc have it for the loopback. */
function sorted(addresses: readonly string[]): string[] {
  return addresses.toSorted((one, other) => familyOf(other) - familyOf(one));
}

function inOrder(addresses: readonly string[], order: number): string[] {
  const ofFamily = (family: number): string[] =>
    addresses.filter((one) => familyOf(one) === family);
  if (order === DNS_ORDER_IPV4_FIRST) return [...ofFamily(4), ...ofFamily(6)];
  if (order === DNS_ORDER_IPV6_FIRST) return [...ofFamily(6), ...ofFamily(4)];
  return [...addresses];
}

/** An address as text, also in the short forms of inet_aton(3): `127.1`, `0x7f000001`. */
function parseHost(host: string): string | undefined {
  const bytes = parseIp(host);
  if (bytes !== undefined) return ipText(bytes);
  if (!/^(0x[0-9a-f]+|\d+)(\.(0x[0-9a-f]+|\d+)){0,3}$/i.test(host)) return undefined;
  const parts = host.split(".").map(numberOf);
  const last = parts.pop() ?? 0;
  const isGood = parts.every((part) => part < 256) && last < 256 ** (4 - parts.length);
  if (!isGood) return undefined;
  const value = parts.reduce((sum, part, index) => sum + part * 256 ** (3 - index), last);
  const text = [24, 16, 8, 0].map((shift) => (value / 2 ** shift) & 0xff).join(".");
  return parseIp4(text) === undefined ? undefined : text;
}

function numberOf(part: string): number {
  if (/^0x/i.test(part)) return Number.parseInt(part, 16);
  return /^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part);
}
