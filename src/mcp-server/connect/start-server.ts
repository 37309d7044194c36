// Starts the server of a home as a process of its own session, which outlives whoever starts it.
// Runs on Node 20.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Home } from "../home.ts";
import { quietFlags } from "./server-node.ts";

/** What it takes to start a server. */
export interface ServerLaunch {
  readonly home: Home;
  readonly buildId: string;
  readonly node: string;
  /** The server's environment; its settings are the AGENTOS_MCP_* in it. */
  readonly env: NodeJS.ProcessEnv;
  /** The configuration somebody asked for; undefined where any will do. */
  readonly configFile: string | undefined;
  /** Tells the person on stderr. */
  readonly say: (message: string) => void;
}

/** The end of the log that a person gets to see when a server does not start. */
const logTailBytes = 2000;

/** A server process we started, as far as its start goes. Nobody owns it: it stops by itself. */
export class StartedServer {
  readonly #child: ChildProcess;
  readonly #logFile: string;
  readonly #logOffset: number;
  #spawnError: Error | undefined;

  constructor(launch: ServerLaunch) {
    const log = openSync(launch.home.logFile, "a", 0o600);
    try {
      this.#logFile = launch.home.logFile;
      this.#logOffset = fstatSync(log).size;
      this.#child = spawn(
        launch.node,
        [...quietFlags, serverEntry(), launch.home.directory, launch.buildId],
        {
          cwd: launch.home.directory,
          env: withoutNodeOptions(launch.env),
          detached: true,
          windowsHide: true,
          stdio: ["ignore", log, log],
        },
      );
    } finally {
      closeSync(log);
    }
    this.#child.once("error", (error) => {
      this.#spawnError = error;
    });
    this.#child.unref();
  }

  /** Whether the process left because another server of this build holds the home. */
  get hasYielded(): boolean {
    return this.#child.exitCode === 0;
  }

  /** Whether somebody killed the process. */
  get wasKilled(): boolean {
    return this.#child.signalCode !== null;
  }

  /** Why the process did not become a server, with the end of what it logged; undefined while it may. */
  describeFailure(): string | undefined {
    if (this.#spawnError !== undefined)
      return `it could not be started: ${this.#spawnError.message}`;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === 0 || (exitCode === null && signalCode === null)) return undefined;
    const how =
      signalCode === null ? `it left with exit code ${exitCode}` : `it was killed by ${signalCode}`;
    const tail = this.#readLogTail();
    return tail === ""
      ? `${how}; ${this.#logFile} says nothing`
      : `${how}; the end of ${this.#logFile}:\n${tail}`;
  }

  #readLogTail(): string {
    const log = openSync(this.#logFile, "r");
    try {
      const { size } = fstatSync(log);
      const start = Math.max(size < this.#logOffset ? 0 : this.#logOffset, size - logTailBytes);
      const bytes = Buffer.alloc(size - start);
      return bytes.toString("utf8", 0, readSync(log, bytes, 0, bytes.length, start)).trim();
    } finally {
      closeSync(log);
    }
  }
}

/** The server's entry file beside this one: `.js` in a build, `.ts` in the sources. */
function serverEntry(): string {
  return fileURLToPath(
    new URL(`../server-process/main${extname(import.meta.url)}`, import.meta.url),
  );
}

/** Options meant for the client's own Node (debuggers, loaders) must not reach another version. */
function withoutNodeOptions(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...rest } = env;
  return rest;
}
