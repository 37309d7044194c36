import { lookup as lookUp } from "node:dns/promises";
import { isIP } from "node:net";
import { type HostRules, plainHost } from "./host-rules.ts";
import { isPublicAddress } from "./is-public-address.ts";

export type Lookup = (host: string) => Promise<readonly string[]>;

export interface EgressRules {
  readonly allow: HostRules;
  /** Hosts that may be in a private network. */
  readonly private: HostRules;
}

export type Target =
  | { readonly isAllowed: true; readonly address: string }
  | {
      readonly isAllowed: false;
      readonly why: string;
      /** The list of the configuration that the operator can add it to. */
      readonly list?: "allow" | "private";
    };

const LOOKUP_LIMIT_MS = 10_000;

export async function lookUpHost(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/**
 * Whether a host may be connected to, and at which address. It is resolved once, and that address is the
 * one to connect to: a name that answers differently the next time gains nothing.
 */
export async function resolveTarget(
  host: string,
  port: number,
  { rules, lookup }: { readonly rules: EgressRules; readonly lookup: Lookup },
): Promise<Target> {
  const name = plainHost(host);
  const isNamedPrivate = rules.private.allows(name, port);
  if (!isNamedPrivate && !rules.allow.allows(name, port)) {
    return { isAllowed: false, why: "the host is not on the list", list: "allow" };
  }
  const addresses = isIP(name) === 0 ? await withLimit(lookup(name)) : [name];
  const [address] = isNamedPrivate ? addresses : addresses.filter(isPublicAddress);
  if (address !== undefined) return { isAllowed: true, address };
  if (addresses.length === 0) return { isAllowed: false, why: "the host has no address" };
  return { isAllowed: false, why: "its address is not public", list: "private" };
}

/** No addresses where nobody knows the host, or nobody answers. */
async function withLimit(found: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_LIMIT_MS);
  });
  try {
    return await Promise.race([found.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}
