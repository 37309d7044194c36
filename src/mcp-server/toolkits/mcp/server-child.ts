// The process of one MCP server: its start, its stderr, its end.
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";
import type { ChildGroups } from "./child-groups.ts";
import { StderrTail } from "./stderr-tail.ts";
import { Throttle } from "./throttle.ts";

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

/** How long a server has to leave once its stdin has ended, and then after SIGTERM. */
const leaveMs = 1000;
const termMs = 2000;

/**
 * A process in a group of its own, and whatever it starts with it. Whoever makes it calls `end`.
 */
export class ServerChild {
  readonly stderr = new StderrTail();
  /** Resolves once the process is gone, to how; rejects never. */
  readonly gone: Promise<string>;
  readonly #child: ChildProcess;
  readonly #groups: ChildGroups;
  #ending: Promise<void> | undefined;
  /** Why we end it, where that is its own fault. */
  #why: string | undefined;

  constructor(spec: ChildSpec, groups: ChildGroups) {
    this.#groups = groups;
    this.#child = spawn(spec.command, [...spec.args], {
      env: { ...spec.env },
      cwd: spec.cwd ?? homedir(),
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that what `npx` or a shell starts ends with it.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#readStderr(present(this.#child.stderr));
    this.gone = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => resolve(this.#why ?? describeExit(code, signal)));
      this.#child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
    });
    if (this.#child.pid !== undefined) groups.add(this);
  }

  /** Resolves once the process runs; rejects with the error of spawn(2) where it cannot. */
  async started(): Promise<void> {
    if (this.#child.pid !== undefined) return;
    await once(this.#child, "spawn");
  }

  get stdin(): Writable {
    return present(this.#child.stdin);
  }

  get stdout(): Readable {
    return present(this.#child.stdout);
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /**
   * Ends its stdin, then asks it to leave, then kills it and all it started. Again: the same end. `why`
   * is what `gone` says of it then.
   */
  async end(why?: string): Promise<void> {
    this.#why ??= why;
    this.#ending ??= this.#end();
    await this.#ending;
  }

  /** Nothing happens where nobody is left. */
  killGroup(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === "win32") {
      spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }

  #readStderr(stream: Readable): void {
    const throttle = new Throttle(stream);
    stream.on("data", (chunk: Buffer) => {
      throttle.count(chunk.length);
      this.stderr.push(chunk);
    });
    stream.once("close", () => throttle.stop());
  }

  async #end(): Promise<void> {
    if (this.#child.pid === undefined) return;
    this.stdin.end();
    if (!(await this.#leavesWithin(leaveMs))) {
      this.killGroup("SIGTERM");
      await this.#leavesWithin(termMs);
    }
    this.killGroup("SIGKILL");
    await this.gone;
    this.#groups.delete(this);
    // A stranger may still hold the other ends of these.
    this.stdin.destroy();
    this.stdout.destroy();
    this.#child.stderr?.destroy();
  }

  async #leavesWithin(ms: number): Promise<boolean> {
    const { promise, stop } = after(ms);
    try {
      return await Promise.race([this.gone.then(() => true), promise]);
    } finally {
      stop();
    }
  }
}

function after(ms: number): { promise: Promise<false>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return { promise, stop: () => clearTimeout(timer) };
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
}

/** Pipes were asked for. */
function present<T>(stream: T | null): T {
  if (stream === null) throw new Error("A pipe that was asked for is missing.");
  return stream;
}
