// Multicast on a machine whose only device is its loopback: as Linux answers there.
import { uvNumber } from "../errors.ts";
import { parseIp } from "../ip-text.ts";
import { Handle } from "./handle.ts";

export abstract class MulticastHandle extends Handle {
  abstract readonly fd: number;

  /** 0, as there is nowhere that a datagram could go; the number must be one. */
  setMulticastTTL(hops: number): number {
    if (this.fd < 0) return this.fd;
    return hops >= 0 && hops <= 255 ? 0 : uvNumber("EINVAL");
  }

  setMulticastLoopback(_isOn: number): number {
    return this.fd < 0 ? this.fd : 0;
  }

  /** The loopback's addresses, or any. */
  setMulticastInterface(address: string): number {
    if (this.fd < 0) return this.fd;
    const bytes = parseIp(address.replace(/%.*$/, ""));
    if (bytes === undefined) return uvNumber("EINVAL");
    if (bytes.length === 16) return 0;
    return bytes[0] === 127 || bytes.every((byte) => byte === 0) ? 0 : uvNumber("EADDRNOTAVAIL");
  }

  addMembership(group: string, device?: string): number {
    return this.#change([group, device], "ENODEV");
  }

  dropMembership(group: string, device?: string): number {
    return this.#change([group, device], "EADDRNOTAVAIL");
  }

  addSourceSpecificMembership(source: string, group: string, device?: string): number {
    return this.#change([group, source, device], "ENODEV");
  }

  dropSourceSpecificMembership(source: string, group: string, device?: string): number {
    return this.#change([group, source, device], "EADDRNOTAVAIL");
  }

  #change(addresses: readonly (string | undefined)[], code: string): number {
    const all = addresses.filter((one) => one !== undefined && one !== null).map(parseIp);
    const [group] = all;
    if (all.includes(undefined) || group === undefined) return uvNumber("EINVAL");
    const first = group[0] ?? 0;
    const isMulticast = group.length === 4 ? first >= 224 && first <= 239 : first === 0xff;
    return uvNumber(isMulticast ? code : "EINVAL");
  }
}
