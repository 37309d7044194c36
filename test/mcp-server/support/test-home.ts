// A home for one test: what lives in it, and the proof that nothing is left of it.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome } from "../../../src/mcp-server/home.ts";
import { listRecords, type ServerRecord } from "../../../src/mcp-server/server-record.ts";
import { eventually } from "../../support/eventually.ts";

/** A private directory for servers of one test. `close` ends them. */
export class TestHome {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}, prefix = "agentos-mcp-home-") {
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
    this.env = {
      ...process.env,
      AGENTOS_MCP_IDLE_MS: "600000",
      ...env,
      AGENTOS_MCP_HOME: this.directory,
    };
  }

  /** The servers that say they run here. */
  records(): ServerRecord[] {
    return listRecords(openHome(this.directory));
  }

  log(): string {
    return readFileSync(join(this.directory, "logs/server.log"), "utf8");
  }

  files(): string[] {
    return readdirSync(this.directory).sort();
  }

  /** Every process that runs for this home by its environment: shims and servers, not cells. */
  pids(): number[] {
    return allPids().filter((pid) => this.#isOurs(pid));
  }

  /** The cells of this home's servers: processes that their launchers started, which know no home. */
  cellPids(): number[] {
    const ours = this.pids();
    const started = allPids().filter((pid) => !ours.includes(pid) && ours.includes(parentOf(pid)));
    const launchers = started.filter(isLauncher);
    const launched = allPids().filter((pid) => launchers.includes(parentOf(pid)));
    return [...started.filter((pid) => !launchers.includes(pid)), ...launched];
  }

  /** Ends whatever still runs, waits until it is gone, and removes the directory. */
  async close(): Promise<void> {
    const cells = this.cellPids();
    for (const pid of this.pids()) process.kill(pid, "SIGKILL");
    await eventually("the processes are gone", () => this.pids().length === 0);
    await eventually("the cells have followed", () => !cells.some(isRunning));
    rmSync(this.directory, { recursive: true, force: true });
  }

  #isOurs(pid: number): boolean {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      return isRunning(pid) && environment.includes(`AGENTOS_MCP_HOME=${this.directory}`);
    } catch {
      return false;
    }
  }
}

/** Whether a process exists and is no zombie. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(statusOf(pid));
}

function isLauncher(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("/cell-launcher/");
  } catch {
    return false;
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function allPids(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}
