// One peer in its own process, so that its heap, its load and its crash are its own.
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownBinFile, stopServers } from "./mcp-client.ts";
import type { PeerName, PeerRow } from "./peer-list.ts";
import type { PeerAnswer, PeerCall, PeerRequest } from "./peers/peer-protocol.ts";
import { killTree, type TreeMemory, treeMemory } from "./process-tree.ts";

const CALL_LIMIT_MS = 180_000;
const CLOSE_LIMIT_MS = 10_000;

/**
 * Started by its first call, and again by the next one after a crash. Its temporary files and its home
 * are in a folder of its own. Its owner closes it: then nothing of it is left, no file and no process.
 */
export class PeerProcess {
  readonly name: PeerName;
  readonly #row: PeerRow;
  readonly #package: string | undefined;
  readonly #signal: AbortSignal;
  #folder: string | undefined;
  #child: ChildProcess | undefined;
  #lastId = 0;
  #stderr = "";

  /** `folder` is where the peer's package is. An abort ends the process and the call that it serves. */
  constructor(row: PeerRow, folder: string | undefined, signal: AbortSignal) {
    this.name = row.name;
    this.#row = row;
    this.#package = folder;
    this.#signal = signal;
    signal.addEventListener("abort", this.#kill);
  }

  /** The call's milliseconds, as the peer measured them. Throws when it fails or takes too long. */
  async call(call: PeerCall, limitMs = CALL_LIMIT_MS): Promise<number> {
    this.#signal.throwIfAborted();
    this.#child ??= this.#start();
    const child = this.#child;
    this.#lastId += 1;
    const request: PeerRequest = { id: this.#lastId, call };
    const { promise, resolve, reject } = Promise.withResolvers<PeerAnswer>();
    const answered = (answer: PeerAnswer): void => {
      if (answer.id === request.id) resolve(answer);
    };
    const ended = (code: number | null, signal: string | null): void => {
      reject(new Error(`the process ended (${signal ?? code}): ${this.#stderr.slice(-300)}`));
    };
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
      this.#kill();
    }, limitMs);
    child.on("message", answered).on("exit", ended);
    child.send(request, (error) => {
      if (error !== null) reject(error);
    });
    try {
      const { ms, problem } = await promise;
      if (ms === undefined) throw new Error(problem ?? "no answer");
      return ms;
    } finally {
      clearTimeout(timer);
      child.off("message", answered).off("exit", ended);
    }
  }

  /** Of the process and all it has started. */
  memory(): TreeMemory {
    if (this.#child?.pid === undefined) throw new Error("the process has ended");
    return treeMemory(this.#child.pid);
  }

  /** Ends the process and all it has started. */
  async close(): Promise<void> {
    try {
      if (this.#child !== undefined) await this.call({ kind: "close" }, CLOSE_LIMIT_MS);
    } catch (error) {
      this.#stderr += String(error);
    }
    this.#signal.removeEventListener("abort", this.#kill);
    this.#kill();
    if (this.#folder === undefined) return;
    const home = join(this.#folder, "home");
    if (existsSync(home)) await stopServers(this.#binFile, home);
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  get #binFile(): string {
    return this.#package === undefined ? ownBinFile : join(this.#package, "bin/agentos-mcp.mjs");
  }

  #start(): ChildProcess {
    this.#folder ??= mkdtempSync(join(tmpdir(), "agentos-mcp-bench-"));
    const temporary = join(this.#folder, "tmp");
    mkdirSync(temporary, { recursive: true });
    const child = fork(this.#row.entry, this.#package === undefined ? [] : [this.#package], {
      execArgv: ["--expose-gc"],
      // Away from the keyboard's interrupts: #kill needs the whole tree to find all of it.
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...process.env, TMPDIR: temporary, AGENTOS_MCP_HOME: join(this.#folder, "home") },
    });
    this.#stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-4000);
    });
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  readonly #kill = (): void => {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid !== undefined) killTree(child.pid);
  };
}
