import { errnos } from "../../../../src/kernel/abi/errno.ts";
import { isKernelError } from "../../../../src/kernel/abi/kernel-error.ts";
import { O_CREAT, O_NONBLOCK, O_WRONLY } from "../../../../src/kernel/abi/open-flags.ts";
import { POLLIN, POLLOUT, POLLRDHUP } from "../../../../src/kernel/abi/poll.ts";
import { signals } from "../../../../src/kernel/abi/signals.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  MSG_PEEK,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOCK_STREAM,
  type SocketAddress,
} from "../../../../src/kernel/abi/socket.ts";
import { formatOf } from "../../../../src/kernel/abi/stat.ts";
import { decodeText, encodeText } from "../../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../../src/kernel/syscalls/sys.ts";

/** A unix socket's name, `@` for the NUL of an abstract one; or an address and a port's name. */
export type Address = readonly [name: string] | readonly [address: string, port: string];

const domains: Readonly<Record<string, number>> = { inet: AF_INET, inet6: AF_INET6, unix: AF_UNIX };
const types: Readonly<Record<string, number>> = { stream: SOCK_STREAM, dgram: SOCK_DGRAM };
const ports: Readonly<Record<string, number>> = { P1: 7001, P2: 7002, "0": 0 };

/** The calls of record-sockets.py in a process of the kernel: sockets have names, none waits. */
export class SocketWorld {
  readonly #sys: Sys;
  readonly #fds = new Map<string, number>();

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  /** What the step answers: null for nothing, the errno's name where it fails. */
  async take([call, who, ...args]: readonly [string, string, ...unknown[]]): Promise<unknown> {
    const step = this.#calls.get(call);
    if (step === undefined) throw new Error(`there is no step ${call}`);
    try {
      return (await step(who, ...(args as never[]))) ?? null;
    } catch (error) {
      if (isKernelError(error)) return error.errno;
      throw error;
    }
  }

  async poll(): Promise<Record<string, number>> {
    const names = [...this.#fds.keys()].toSorted();
    const events = POLLIN | POLLOUT | POLLRDHUP;
    const requests = names.map((name) => ({ fd: this.#fd(name), events }));
    const answers = await this.#sys.poll(requests, 0);
    return Object.fromEntries(names.map((name, i) => [name, answers[i] ?? 0]));
  }

  readonly #calls = new Map<string, (who: string, ...args: never[]) => Promise<unknown>>([
    ["socket", (who, domain: string, type: string) => this.#socket(who, domain, type)],
    ["pair", (who, other: string) => this.#pair(who, other)],
    ["bind", (who, at: Address) => this.#sys.bind(this.#fd(who), this.#addressFor(who, at))],
    ["listen", (who, backlog: number) => this.#sys.listen(this.#fd(who), backlog)],
    ["accept", (who, made: string) => this.#accept(who, made)],
    ["connect", (who, at: Address) => this.#sys.connect(this.#fd(who), this.#addressFor(who, at))],
    ["send", (who, text: string) => this.#sys.write(this.#fd(who), encodeText(text))],
    ["sendto", (who, text: string, at: Address) => this.#sendto(who, text, at)],
    ["recv", async (who, size: number) => (await this.#receive(who, size)).text],
    ["peek", async (who, size: number) => (await this.#receive(who, size, MSG_PEEK)).text],
    ["recvfrom", (who, size: number) => this.#recvfrom(who, size)],
    ["shutdown", (who, how: number) => this.#sys.shutdown(this.#fd(who), how)],
    ["close", (who) => this.#close(who)],
    ["sockname", async (who) => nameOf(await this.#sys.getsockname(this.#fd(who)))],
    ["peername", async (who) => nameOf(await this.#sys.getpeername(this.#fd(who)))],
    ["setopt", (who, name: string, to: number) => this.#sys.setsockopt(this.#fd(who), name, to)],
    ["getopt", (who, name: string) => this.#sys.getsockopt(this.#fd(who), name)],
    ["error", async (who) => errorName(await this.#sys.getsockopt(this.#fd(who), "SO_ERROR"))],
    ["unread", (who) => this.#sys.ioctl(this.#fd(who), { request: "FIONREAD" })],
    ["stat", (who) => this.#stat(who)],
    ["unlink", (path) => this.#sys.unlink(path)],
    ["touch", async (path) => this.#sys.close(await this.#sys.open(path, O_CREAT | O_WRONLY))],
  ]);

  readonly #families = new Map<string, number>();

  async #socket(who: string, domain: string, type: string): Promise<void> {
    await this.#sys.sigaction(signals.SIGPIPE, "ignore");
    const family = domains[domain] ?? 0;
    const fd = await this.#sys.socket(family, (types[type] ?? 0) | SOCK_NONBLOCK);
    this.#fds.set(who, fd);
    this.#families.set(who, family);
  }

  async #pair(who: string, other: string): Promise<void> {
    await this.#sys.sigaction(signals.SIGPIPE, "ignore");
    const [one, two] = await this.#sys.socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK);
    this.#fds.set(who, one);
    this.#fds.set(other, two);
  }

  async #accept(who: string, made: string): Promise<unknown> {
    const { fd, address } = await this.#sys.accept(this.#fd(who), O_NONBLOCK);
    this.#fds.set(made, fd);
    this.#families.set(made, address.family);
    return nameOf(address);
  }

  #sendto(who: string, text: string, at: Address): Promise<number> {
    const address = this.#addressFor(who, at);
    return this.#sys.sendto(this.#fd(who), encodeText(text), { address });
  }

  async #receive(who: string, size: number, flags = 0): Promise<{ text: string; from: unknown }> {
    const into = new Uint8Array(size);
    const { count, address } = await this.#sys.recvfrom(this.#fd(who), into, flags);
    const from = address === undefined ? null : nameOf(address);
    return { text: decodeText(into.subarray(0, count)), from };
  }

  async #recvfrom(who: string, size: number): Promise<unknown> {
    const { text, from } = await this.#receive(who, size);
    return [text, from];
  }

  async #close(who: string): Promise<void> {
    await this.#sys.close(this.#fd(who));
    this.#fds.delete(who);
  }

  async #stat(who: string): Promise<string> {
    const { kind, mode } = await this.#sys.fstat(this.#fd(who));
    return `0o${(formatOf(kind) | mode).toString(8)}`;
  }

  #fd(who: string): number {
    return this.#fds.get(who) ?? -1;
  }

  #addressFor(who: string, [name, port]: Address | readonly [string, string?]): SocketAddress {
    const family = this.#families.get(who);
    if (port !== undefined && (family === AF_INET || family === AF_INET6)) {
      return { family, address: name, port: ports[port] ?? 0 };
    }
    return { family: AF_UNIX, path: name.replace("@", "\0") };
  }
}

function nameOf(address: SocketAddress): Address {
  if (address.family === AF_UNIX) return [address.path.replace("\0", "@")];
  const known = Object.entries(ports).find(([, port]) => port === address.port);
  return [address.address, known?.[0] ?? "E"];
}

function errorName(number: number): string | number {
  return Object.entries(errnos).find(([, [known]]) => known === number)?.[0] ?? 0;
}
