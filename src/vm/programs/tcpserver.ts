/** tcpserver: a command for each connection to a port, with the connection as its stdin and stdout (ucspi-tcp's). */
import {
  AF_INET,
  AF_INET6,
  isKernelError,
  O_CLOEXEC,
  SOCK_STREAM,
  type SocketAddress,
  type Sys,
  signals,
  WNOHANG,
} from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { findCommand } from "./run-command.ts";

/** tcpserver's own status for what it cannot do. */
const FAILED = 111;
/** Its limit of connections at one time, where `-c` says no other. */
const CONNECTIONS = 40;

export const main = defineProgram(
  {
    name: "tcpserver",
    usage: ["[-c LIMIT] HOST PORT COMMAND [ARG]..."],
    summary:
      "Accept connections to PORT, and run COMMAND for each, with the connection as its standard input and output.\nHOST is an address, or 0 for all; port 0 is any. TCPREMOTEIP and TCPREMOTEPORT tell COMMAND who connects.",
    options: [
      { short: "c", value: "LIMIT", help: "at most LIMIT connections at one time (40)" },
      { short: "1", help: "print the port, once connections are accepted" },
    ],
    stopsAtOperand: true,
    refusal: 100,
  },
  async (run) => {
    const [host, port, ...command] = run.operands;
    if (host === undefined || port === undefined || command.length === 0)
      throw new UsageError("give a host, a port and a command");
    const limit = readNumber(run.options.get("c") ?? String(CONNECTIONS), 10_000, "limit");
    const address = addressOf(host, readNumber(port, 65_535, "port"));
    try {
      return await serve(run, { address, command, limit });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`fatal: ${errorWords(error)}`, FAILED);
      return FAILED;
    }
  },
);

interface Service {
  readonly address: SocketAddress & { readonly port: number };
  readonly command: readonly string[];
  readonly limit: number;
}

function readNumber(text: string, most: number, what: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`invalid ${what}: ${quoteName(text)}`);
}

function addressOf(host: string, port: number): Service["address"] {
  if (host === "0") return { family: AF_INET, address: "0.0.0.0", port };
  if (host === "localhost") return { family: AF_INET, address: "127.0.0.1", port };
  return { family: host.includes(":") ? AF_INET6 : AF_INET, address: host, port };
}

/** Until a signal ends it. */
async function serve(run: Run, { address, command, limit }: Service): Promise<number> {
  const { sys } = run;
  const [name = ""] = command;
  const path = await findCommand(sys, name, (await sys.environ()).get("PATH"));
  if (path === undefined) {
    await run.fail(`fatal: ${quoteName(name)}: No such file or directory`, FAILED);
    return FAILED;
  }
  const listener = await sys.socket(address.family, SOCK_STREAM | O_CLOEXEC);
  await sys.bind(listener, address);
  await sys.listen(listener, limit);
  if (run.has("1")) {
    const bound = await sys.getsockname(listener);
    run.out.addText(`${"port" in bound ? bound.port : address.port}\n`);
    await run.out.flush();
  }
  // A child's end wakes whoever waits for room.
  await sys.sigaction(signals.SIGCHLD, "catch");
  for (let running = 0; ; ) {
    running -= await reapEnded(sys, running >= limit);
    if (running >= limit) continue;
    const connection = await acceptNext(sys, listener);
    if (connection === undefined) continue;
    running += (await start(run, { path, command, connection })) ? 1 : 0;
  }
}

/** How many have ended; with `waits`, at least one, or a signal came. */
async function reapEnded(sys: Sys, waits: boolean): Promise<number> {
  await sys.sigtimedwait([signals.SIGCHLD], 0);
  for (let count = 0; ; count += 1) {
    try {
      const flags = waits && count === 0 ? 0 : WNOHANG;
      if ((await sys.wait({ flags })) === undefined) return count;
    } catch (error) {
      if (isKernelError(error, "ECHILD") || isKernelError(error, "EINTR")) return count;
      throw error;
    }
  }
}

interface Connection {
  readonly fd: number;
  readonly from: SocketAddress;
}

/** Undefined where a child has ended first. */
async function acceptNext(sys: Sys, listener: number): Promise<Connection | undefined> {
  try {
    const { fd, address } = await sys.accept(listener, O_CLOEXEC);
    return { fd, from: address };
  } catch (error) {
    if (isKernelError(error, "EINTR")) return undefined;
    throw error;
  }
}

/** Whether it runs; what cannot be started loses its connection, the others go on. */
async function start(
  run: Run,
  what: { path: string; command: readonly string[]; connection: Connection },
): Promise<boolean> {
  const { sys } = run;
  const { path, command, connection } = what;
  const { fd, from } = connection;
  const env = await sys.environ();
  env.set("PROTO", "TCP");
  if ("port" in from) {
    env.set("TCPREMOTEIP", from.address);
    env.set("TCPREMOTEPORT", String(from.port));
  }
  try {
    const fds = [0, 1].map((own) => ({ fd: own, from: fd }));
    await sys.spawn({ path, argv: command, env, fds, signals: { default: [signals.SIGCHLD] } });
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.warn(`${command[0]}: ${errorWords(error)}`);
    return false;
  } finally {
    await sys.close(fd);
  }
}
