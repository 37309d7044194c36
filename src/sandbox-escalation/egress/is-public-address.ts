import { BlockList, isIPv4, isIPv6 } from "node:net";

/** What IANA's registries of special-purpose addresses (RFC 6890) have as not global, and multicast. */
const special4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

const list4 = new BlockList();
for (const [network, bits] of special4) list4.addSubnet(network, bits, "ipv4");

/** Of IPv6 only global unicast is public; ways from there to IPv4 addresses (6to4, Teredo) and documentation are not. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
const special6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  special6.addSubnet(network, bits, "ipv6");
}

/** Whether an address is one of the public Internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !list4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !special6.check(address, "ipv6");
}
