// Finds the one server of a home and build, or starts it, and connects. Used by the shim and by the
// commands for people. Runs on Node 20.
import { realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Hello, type Introduction, parseNotice } from "../greeting.ts";
import { readFirstLine } from "../lines.ts";
import { findRecord, type ServerRecord } from "../server-record.ts";
import { type ServerLaunch, StartedServer } from "./start-server.ts";
import { StartingMark } from "./starting-mark.ts";

/** There is no server to talk to and none could be started; the message is for the user. */
export class ServerUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ServerUnavailableError";
  }
}

/** A slow machine starts a server in two seconds. */
const startLimitMs = 20_000;
/** A server that listens but says nothing for so long hangs. */
const welcomeLimitMs = 10_000;
const pollMs = 8;
/** A wait that is longer is explained. */
const quietMs = 1000;
/** A server may leave, idle, stopped or killed, just as we come; five times in a row is no accident. */
const maxStarts = 5;

/**
 * Connects to this home's server of this build, starting it if there is none. The socket comes
 * paused, welcomed by the server, and belongs to the caller. Throws ServerUnavailableError.
 */
export async function connectToServer(who: Introduction, launch: ServerLaunch): Promise<Socket> {
  const mark = new StartingMark(launch.home, launch.buildId);
  const deadline = Date.now() + startLimitMs;
  const slow = setTimeout(() => {
    launch.say(`Waiting for the server to start; its log is ${launch.home.logFile}.`);
  }, quietMs);
  let started: StartedServer | undefined;
  let starts = 0;
  try {
    for (;;) {
      const socket = await tryConnect(who, launch);
      if (socket !== undefined) return socket;
      const failure = started?.describeFailure();
      if (failure !== undefined && !(started?.wasKilled === true && starts < maxStarts)) {
        throw new ServerUnavailableError(`The agentos-mcp server did not start: ${failure}`);
      }
      if (failure !== undefined || started?.hasYielded === true) started = undefined;
      if (Date.now() > deadline || (starts >= maxStarts && started === undefined)) {
        throw new ServerUnavailableError(
          `The agentos-mcp server did not start in time; see ${launch.home.logFile}.`,
        );
      }
      if (started === undefined && mark.trySet()) {
        started = new StartedServer(launch);
        starts += 1;
      }
      await delay(pollMs);
    }
  } finally {
    clearTimeout(slow);
    mark.clear();
  }
}

/**
 * Connects to a server that runs already, whatever its build; undefined when it is gone or on its
 * way out. Throws ServerUnavailableError when it hangs or refuses.
 */
export async function connectToRecord(
  who: Introduction,
  record: ServerRecord,
  say: (message: string) => void = () => undefined,
): Promise<Socket | undefined> {
  const socket = await openSocket(record.socket);
  if (socket === undefined) return undefined;
  const hello: Hello = { ...who, build: record.build, pid: process.pid, key: record.key };
  socket.write(`${JSON.stringify(hello)}\n`);
  let line: string;
  try {
    line = await readFirstLine(socket, welcomeLimitMs);
  } catch (error) {
    const isGone = socket.destroyed || socket.readableEnded;
    socket.destroy();
    if (isGone) return undefined;
    throw new ServerUnavailableError(
      `The agentos-mcp server (pid ${record.pid}) does not answer. End that process and try again.`,
      { cause: error },
    );
  }
  const notice = parseNotice(line);
  if (notice?.["agentos-mcp"] === "welcome") {
    if (notice.notice !== undefined) say(notice.notice);
    return socket;
  }
  socket.destroy();
  if (notice?.["agentos-mcp"] === "leaving") return undefined;
  const reason = notice?.reason ?? "it does not speak our language";
  throw new ServerUnavailableError(
    `The agentos-mcp server (pid ${record.pid}) refused the connection: ${reason}.`,
  );
}

async function tryConnect(who: Introduction, launch: ServerLaunch): Promise<Socket | undefined> {
  const { home, buildId, configFile, say } = launch;
  const record = findRecord(home, buildId);
  if (record === undefined) return undefined;
  const socket = await connectToRecord(who, record, say);
  if (socket === undefined || configFile === undefined) return socket;
  if (record.config !== undefined && realPath(configFile) === realPath(record.config))
    return socket;
  socket.destroy();
  throw new ServerUnavailableError(
    `A server runs already (pid ${record.pid}), configured by ${record.config ?? "another file"}, not by ${configFile}. ` +
      "Stop it first (agentos-mcp stop; this ends its VMs), or give this one a home of its own (--home DIR).",
  );
}

/** Without links, where there is such a file. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error) return file;
    throw error;
  }
}

/** A connected socket, or undefined where nobody listens any more. */
async function openSocket(path: string): Promise<Socket | undefined> {
  return await new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.off("error", onError);
      // Whoever gets the socket learns of a failure by its end; an error without a listener would end us.
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
    const onError = (error: NodeJS.ErrnoException): void => {
      if (["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"].includes(error.code ?? ""))
        return resolve(undefined);
      reject(
        new ServerUnavailableError(`The agentos-mcp server cannot be reached: ${error.message}`, {
          cause: error,
        }),
      );
    };
    socket.once("error", onError);
  });
}
