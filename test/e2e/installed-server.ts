// An installed copy of the package with a home of its own: what the tests of faults start, watch and kill.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Installation, install } from "../mcp-server/support/installation.ts";
import { isRunning, TestHome } from "../mcp-server/support/test-home.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerCommand } from "./mcp-clients.ts";

export interface CommandOutput {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class InstalledServer {
  readonly home: TestHome;
  readonly #installation: Installation;

  private constructor(installation: Installation, home: TestHome) {
    this.#installation = installation;
    this.home = home;
  }

  static install(env: NodeJS.ProcessEnv = {}): InstalledServer {
    const installation = install({ hasRealTools: true });
    const compiled = join(installation.directory, "compiled");
    return new InstalledServer(
      installation,
      new TestHome({ NODE_COMPILE_CACHE: compiled, ...env }),
    );
  }

  /** What a client starts. */
  get command(): ServerCommand {
    const env = Object.entries(this.home.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return {
      command: process.execPath,
      args: [this.#installation.binFile],
      cwd: this.#installation.directory,
      env: Object.fromEntries(env),
    };
  }

  /** Runs a command for people to its end. */
  async run(args: readonly string[], input?: Uint8Array): Promise<CommandOutput> {
    const { command, args: own, cwd, env } = this.command;
    const child = spawn(command, [...own, ...args], { cwd, env });
    const stdout: Buffer[] = [];
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    // A command may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [status] = (await once(child, "close")) as [number | null];
    return { status, stdout: Buffer.concat(stdout), stderr };
  }

  get serverPid(): number {
    const [record] = this.home.records();
    if (record === undefined) throw new Error("No server runs.");
    return record.pid;
  }

  /** The most memory the server's process has had, in bytes. */
  peakMemoryBytes(): number {
    const status = readFileSync(`/proc/${this.serverPid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  }

  /** Ends everything, and fails if anything stays. */
  async remove(): Promise<void> {
    const pids = [...this.home.pids(), ...this.home.cellPids()];
    await this.home.close();
    await eventually("nothing is left", () => !pids.some(isRunning));
    this.#installation.remove();
  }
}
