// bash's own files: a redirection to /dev/tcp/HOST/PORT or /dev/udp/HOST/PORT connects a socket.
import {
  AF_INET,
  AF_INET6,
  errnoWords,
  isKernelError,
  KernelError,
  O_CLOEXEC,
  SOCK_DGRAM,
  SOCK_STREAM,
} from "../../../kernel/index.ts";
import { readWhole } from "../builtins/eval.ts";
import type { Shell } from "../state/shell.ts";

/** Words of getaddrinfo(3), see gai_strerror(3). */
const UNKNOWN_HOST = "Name or service not known";
const UNKNOWN_SERVICE = "Servname not supported for ai_socktype";

interface ConnectionName {
  readonly protocol: "tcp" | "udp";
  readonly host: string;
  readonly service: string;
}

/** What such a path names; undefined for every other path. */
export function parseConnectionName(path: string): ConnectionName | undefined {
  const [, protocol, host, service] = /^\/dev\/(tcp|udp)\/([^/]*)\/(.*)$/s.exec(path) ?? [];
  if (host === undefined || service === undefined) return undefined;
  return { protocol: protocol === "tcp" ? "tcp" : "udp", host, service };
}

/**
 * A connected socket. A host or port that is not known is said, and then EINVAL; where no address of the
 * host answers, the last one's failure is said and thrown.
 */
export async function openConnection(shell: Shell, name: ConnectionName): Promise<number> {
  const addresses = await findAddresses(shell, name.host);
  if (addresses.length === 0) {
    await shell.complain(`${name.host}: ${UNKNOWN_HOST}`);
    throw new KernelError("EINVAL");
  }
  const port = await findPort(shell, name);
  if (port === undefined) {
    await shell.complain(`${name.service}: ${UNKNOWN_SERVICE}`);
    throw new KernelError("EINVAL");
  }
  const type = name.protocol === "tcp" ? SOCK_STREAM : SOCK_DGRAM;
  let failure = new KernelError("ECONNREFUSED");
  for (const address of addresses) {
    try {
      return await connectTo(shell, type, address, port);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      failure = error;
    }
  }
  await shell.write(2, `${shell.name}: connect: ${errnoWords(failure.errno)}\n`);
  throw failure;
}

async function connectTo(
  { sys }: Shell,
  type: number,
  address: string,
  port: number,
): Promise<number> {
  const family = address.includes(":") ? AF_INET6 : AF_INET;
  const fd = await sys.socket(family, type | O_CLOEXEC);
  try {
    await sys.connect(fd, { family, address, port });
    return fd;
  } catch (error) {
    await sys.close(fd);
    throw error;
  }
}

/** An address itself, or those that /etc/hosts has for the name. */
async function findAddresses(shell: Shell, host: string): Promise<string[]> {
  if (/^\d+(?:\.\d+){3}$/.test(host) || host.includes(":")) return [host];
  const found = await readTable(shell, "/etc/hosts");
  return found.filter(([, ...names]) => names.includes(host)).flatMap(([address]) => address ?? []);
}

/** As the C library reads a number, so that 65536 is port 0; or what /etc/services has for the name. */
async function findPort(shell: Shell, name: ConnectionName): Promise<number | undefined> {
  if (/^\d+$/.test(name.service)) return Number(BigInt(name.service) & 0xffffn);
  const rows = await readTable(shell, "/etc/services");
  for (const [first, place = "", ...aliases] of rows) {
    const [port, protocol] = place.split("/");
    if (protocol !== name.protocol) continue;
    if (first === name.service || aliases.includes(name.service)) return Number(port);
  }
  return undefined;
}

/** The words of each line, comments left out; none where there is no such file. */
async function readTable(shell: Shell, path: string): Promise<string[][]> {
  try {
    const text = await readWhole(shell, path);
    return text.split("\n").map((line) => line.replace(/#.*/, "").split(/\s+/).filter(Boolean));
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}
