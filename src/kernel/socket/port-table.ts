import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { type Endpoint, endpointText } from "./endpoint.ts";
import { ANY4, ANY6, isIp6, isWildcard } from "./ip-address.ts";

/** Linux's net.ipv4.ip_local_port_range. */
const EPHEMERAL_FIRST = 32_768;
const EPHEMERAL_LAST = 60_999;

/** What decides whether others may be at the same port; asked anew at each bind. */
export interface PortSharing {
  readonly reusesAddress: boolean;
  readonly reusesPort: boolean;
  /** Whether `::` takes IPv6 alone. */
  readonly isV6Only: boolean;
}

export interface PortWish<T> {
  readonly endpoint: Endpoint;
  readonly sharing: PortSharing;
  /** Whose it is: SO_REUSEPORT lets only one user's sockets together. */
  readonly uid: number;
  readonly owner: T;
}

/** A socket's hold on a port. */
export interface PortBinding<T> extends PortWish<T> {
  isListening: boolean;
}

/** Who is at which port of one protocol. */
export class PortTable<T> {
  readonly #ports = new Map<number, Set<PortBinding<T>>>();
  #nextEphemeral: number;
  /** Whose turn it is among those that share a port. */
  #turn = 0;

  /** `seed` is any number: where the ephemeral ports begin. */
  constructor(seed = 0) {
    this.#nextEphemeral = EPHEMERAL_FIRST + (seed % (EPHEMERAL_LAST - EPHEMERAL_FIRST + 1));
  }

  /** Takes a port, any free one for port 0: `whenFull` where none is left. EADDRINUSE. */
  claim(wish: PortWish<T>, whenFull: Errno = "EADDRINUSE"): PortBinding<T> {
    if (wish.endpoint.port === 0) return this.#claimAny(wish, whenFull);
    const taken = [...this.#at(wish.endpoint.port)].some((other) => conflicts(wish, other));
    if (taken) throw new KernelError("EADDRINUSE", endpointText(wish.endpoint));
    return this.add(wish);
  }

  /** Holds a port beside who has it already, as an accepted connection does. */
  add(wish: PortWish<T>): PortBinding<T> {
    const binding = { ...wish, isListening: false };
    const { port } = wish.endpoint;
    const others = this.#ports.get(port);
    if (others === undefined) this.#ports.set(port, new Set([binding]));
    else others.add(binding);
    return binding;
  }

  /** EADDRINUSE when somebody else listens there already. */
  listen(binding: PortBinding<T>): void {
    const isTaken = [...this.#at(binding.endpoint.port)].some(
      (other) => other !== binding && other.isListening && conflicts(binding, other),
    );
    if (isTaken) throw new KernelError("EADDRINUSE", endpointText(binding.endpoint));
    binding.isListening = true;
  }

  release(binding: PortBinding<T>): void {
    const { port } = binding.endpoint;
    const others = this.#ports.get(port);
    others?.delete(binding);
    if (others?.size === 0) this.#ports.delete(port);
  }

  /**
   * Who gets what comes to an endpoint: the closest address wins, and of those that `isWanted`. Those
   * that share a port by SO_REUSEPORT take turns; else the last bound has it.
   */
  find(to: Endpoint, isWanted: (binding: PortBinding<T>) => number): T | undefined {
    let best: PortBinding<T>[] = [];
    let most = 0;
    for (const binding of this.#at(to.port)) {
      const closeness = closenessOf(binding, to.ip);
      const wanted = closeness === 0 ? 0 : isWanted(binding);
      if (wanted === 0 || wanted + closeness < most) continue;
      if (wanted + closeness > most) best = [];
      most = wanted + closeness;
      best.push(binding);
    }
    this.#turn += 1;
    const shares = best.every(({ sharing }) => sharing.reusesPort);
    return (shares ? best[this.#turn % best.length] : best.at(-1))?.owner;
  }

  #claimAny(wish: PortWish<T>, whenFull: Errno): PortBinding<T> {
    const { ip } = wish.endpoint;
    for (let tries = EPHEMERAL_FIRST; tries <= EPHEMERAL_LAST; tries++) {
      const port = this.#nextEphemeral;
      this.#nextEphemeral = port === EPHEMERAL_LAST ? EPHEMERAL_FIRST : port + 1;
      if (!this.#ports.has(port)) return this.add({ ...wish, endpoint: { ip, port } });
    }
    throw new KernelError(whenFull, endpointText(wish.endpoint));
  }

  #at(port: number): ReadonlySet<PortBinding<T>> {
    return this.#ports.get(port) ?? new Set();
  }
}

/** Linux's rules (inet_csk_get_port, udp_lib_get_port), for one port. */
function conflicts<T>(wish: PortWish<T>, other: PortBinding<T>): boolean {
  if (!overlaps(wish, other)) return false;
  const [ours, theirs] = [wish.sharing, other.sharing];
  if (ours.reusesPort && theirs.reusesPort && wish.uid === other.uid) return false;
  return !(ours.reusesAddress && theirs.reusesAddress && !other.isListening);
}

function overlaps<T>(one: PortWish<T>, other: PortWish<T>): boolean {
  const [a, b] = [one.endpoint.ip, other.endpoint.ip];
  if (isIp6(a) === isIp6(b)) return a === b || isWildcard(a) || isWildcard(b);
  const six = isIp6(a) ? one : other;
  return six.endpoint.ip === ANY6 && !six.sharing.isV6Only;
}

/** 0 where the binding is not for the address; more the closer it is. */
function closenessOf<T>({ endpoint, sharing }: PortWish<T>, ip: string): number {
  if (endpoint.ip === ip) return 3;
  if (isIp6(ip)) return endpoint.ip === ANY6 ? 2 : 0;
  if (endpoint.ip === ANY4) return 2;
  return endpoint.ip === ANY6 && !sharing.isV6Only ? 1 : 0;
}
