/** One process that checks types, from its start to its end. What it answers is looked at before it is believed. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseBoundedJson } from "../../toolkit-cli/index.ts";
import type { CellProcess } from "../broker/cell-process/cell-process.ts";
import { CellStarter } from "../broker/cell-process/cell-starter.ts";
import { type Deferred, defer } from "../deferred.ts";
import { findDependency } from "../package-root.ts";
import { FrameChannel } from "../wire/frame-channel.ts";
import type { CheckRequest, TypeProblem } from "./type-check.ts";

/** TypeScript with its library takes 50 MB of heap; type-level programs take what they get. */
const HEAP_LIMIT_BYTES = 320 * 1024 * 1024;

/** Why a check has no answer; `message` goes to who wrote the code. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

/** Makes such processes; its owner closes it. */
export async function createCheckerStarter(): Promise<CellStarter> {
  return CellStarter.create({ readable: [typescriptFolder()], allowAddons: false });
}

function typescriptFolder(): string {
  const folder = findDependency("typescript-6");
  if (folder === undefined) throw new CheckFailed("TypeScript is not installed");
  return folder;
}

export class CheckerProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #process: CellProcess;
  readonly #channel: FrameChannel;
  readonly #ready = defer<void>();
  #pending: Deferred<readonly TypeProblem[]> | undefined;

  private constructor(process: CellProcess) {
    this.#process = process;
    this.#channel = new FrameChannel(process.wire, {
      onFrame: ({ type }, body) => {
        if (type === "ready") this.#ready.resolve();
        else this.#receive(body);
      },
    });
    this.ended = process.exited.then((exit) => {
      const reason = exit.reason === "memory" ? "it takes too much memory" : "TypeScript stopped";
      this.#ready.reject(new CheckFailed(reason));
      this.#pending?.reject(new CheckFailed(reason));
    });
    // Who waits for it is told; without anybody it is nobody's problem.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves long before it can check. */
  static async start(starter: CellStarter, log: (line: string) => void): Promise<CheckerProcess> {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const process = await starter.spawnCell({
      entry: fileURLToPath(new URL(`./checker/main.${extension}`, import.meta.url)),
      args: [join(realpathSync(typescriptFolder()), "lib", "typescript.js")],
      memoryLimitBytes: 2 * HEAP_LIMIT_BYTES,
      heapLimitBytes: HEAP_LIMIT_BYTES,
      onLog: (line) => log(`type check: ${line}`),
    });
    return new CheckerProcess(process);
  }

  /** Resolves when TypeScript is loaded; CheckFailed. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** One at a time. CheckFailed. */
  async check(request: CheckRequest): Promise<readonly TypeProblem[]> {
    const pending = defer<readonly TypeProblem[]>();
    this.#pending = pending;
    const body = new TextEncoder().encode(JSON.stringify(request));
    try {
      await this.#channel.send({ type: "check", id: 1 }, body);
      return await pending.promise;
    } finally {
      this.#pending = undefined;
    }
  }

  kill(): void {
    this.#process.kill();
  }

  #receive(body: Uint8Array): void {
    const answer: unknown = parseBoundedJson(body);
    const isObject = typeof answer === "object" && answer !== null;
    if (isObject && "problems" in answer && Array.isArray(answer.problems)) {
      this.#pending?.resolve(answer.problems.filter(isProblem));
      return;
    }
    const why = isObject && "failure" in answer ? String(answer.failure) : "there is no answer";
    this.#pending?.reject(new CheckFailed(why.slice(0, 200)));
  }
}

function isProblem(value: unknown): value is TypeProblem {
  if (typeof value !== "object" || value === null) return false;
  const { line, column, source, message, tool }: Partial<Record<string, unknown>> = { ...value };
  return (
    typeof line === "number" &&
    typeof column === "number" &&
    typeof source === "string" &&
    typeof message === "string" &&
    (tool === undefined || (Array.isArray(tool) && tool.every((name) => typeof name === "string")))
  );
}
