/** Where an internet socket is: an address and a port, and how guests write and see it. */
import { KernelError } from "../abi/kernel-error.ts";
import { AF_INET, AF_INET6, type InetAddress, type SocketDomain } from "../abi/socket.ts";
import { ANY4, ANY6, isIp6, LOOPBACK4, LOOPBACK6, mappedText, parseIp } from "./ip-address.ts";

export interface Endpoint {
  /** The one text of the address, see ip-address.ts. */
  readonly ip: string;
  readonly port: number;
}

const PORT_MAX = 65_535;

/** Reads what a guest gave: EAFNOSUPPORT for another family, EINVAL for what is no address. */
export function parseEndpoint(domain: SocketDomain, given: unknown): Endpoint {
  if (!isInetAddress(given)) throw new KernelError("EINVAL", undefined, "give an address");
  if (given.family !== domain) throw new KernelError("EAFNOSUPPORT", given.address);
  const { address, port } = given;
  const ip = parseIp(address);
  if (ip === undefined || isIp6(address) !== (domain === AF_INET6)) {
    throw new KernelError("EINVAL", address);
  }
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX) {
    throw new KernelError("EINVAL", String(port));
  }
  return { ip, port };
}

/** How a socket of the domain shows it. */
export function showEndpoint(domain: SocketDomain, { ip, port }: Endpoint): InetAddress {
  if (domain === AF_INET) return { family: AF_INET, address: ip, port };
  return { family: AF_INET6, address: isIp6(ip) ? ip : mappedText(ip), port };
}

/** `127.0.0.1:80`, `[::1]:80`. */
export function endpointText({ ip, port }: Endpoint): string {
  return isIp6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
}

export function isSameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return one.ip === other.ip && one.port === other.port;
}

/** Where a socket of the domain is before it has been bound. */
export function unboundEndpoint(domain: SocketDomain): Endpoint {
  return { ip: domain === AF_INET6 ? ANY6 : ANY4, port: 0 };
}

/** Whom a caller of every address means: the machine itself, as on Linux. */
export function resolveWildcard({ ip, port }: Endpoint): Endpoint {
  if (ip === ANY4) return { ip: LOOPBACK4, port };
  return { ip: ip === ANY6 ? LOOPBACK6 : ip, port };
}

/** The address that speaks to `ip` where the socket has none of its own. */
export function sourceFor(ip: string): string {
  return isIp6(ip) ? LOOPBACK6 : LOOPBACK4;
}

function isInetAddress(given: unknown): given is InetAddress {
  if (typeof given !== "object" || given === null || !("family" in given)) return false;
  if (given.family !== AF_INET && given.family !== AF_INET6) {
    throw new KernelError("EAFNOSUPPORT");
  }
  if (!("address" in given) || !("port" in given)) return false;
  return typeof given.address === "string" && typeof given.port === "number";
}
