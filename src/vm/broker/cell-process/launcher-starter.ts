// Starts processes by the native launcher, native/cell-launcher: it gives up what no cell may have, and each process
// begins with nothing else. See docs/decisions/0047-a-launcher-of-cells.md.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import type { Layer } from "../../confinement/layer.ts";
import type { Libc } from "../../confinement/libc.ts";
import { DescriptorSender } from "../../confinement/send-descriptors.ts";
import { makeSocketPair, widenSocket } from "../../confinement/socket-pair.ts";
import { defer } from "../../deferred.ts";
import {
  encodeHeader,
  encodeSetup,
  encodeStart,
  type LauncherAnswer,
  LauncherAnswers,
  type LauncherSetup,
  launcherFrames,
} from "./launcher-frames.ts";
import { describeLayers } from "./launcher-layers.ts";
import type {
  ProcessCommand,
  ProcessEnd,
  ProcessStarter,
  StartedProcess,
} from "./process-starter.ts";

/** Resolves when the launcher is ready; rejects when it cannot run at all. */
export async function createLauncher(
  libc: Libc,
  file: string,
  setup: LauncherSetup,
): Promise<LauncherStarter> {
  const [near, far] = makeSocketPair(libc);
  try {
    widenSocket(libc, near, WIRE_BYTES);
    const child = spawn(file, ["serve", String(process.pid)], {
      stdio: ["ignore", "ignore", "ignore", far],
      env: {},
      cwd: "/",
    });
    const launcher = new LauncherStarter(libc, child, near);
    await launcher.prepare(setup);
    return launcher;
  } finally {
    closeSync(far);
  }
}

/** What waits on the wire: a few replies of the largest kind. */
const WIRE_BYTES = 1 << 20;

interface Pending {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly ended: (end: ProcessEnd) => void;
  pid?: number;
}

export class LauncherStarter implements ProcessStarter {
  readonly #libc: Libc;
  readonly #child: ChildProcess;
  readonly #control: Socket;
  readonly #controlFd: number;
  readonly #sender: DescriptorSender;
  readonly #answers = new LauncherAnswers();
  readonly #ready = defer<readonly number[]>();
  /** Every process from the request on until it is reaped. */
  readonly #processes = new Map<number, Pending>();
  readonly #ends = new Map<number, Promise<ProcessEnd>>();
  #layers: readonly Layer[] = [];
  #hasOwnProcesses = false;
  #nextId = 1;
  #stopped: Error | undefined;

  constructor(libc: Libc, child: ChildProcess, controlFd: number) {
    this.#libc = libc;
    this.#child = child;
    this.#sender = new DescriptorSender(libc);
    this.#controlFd = controlFd;
    this.#control = new Socket({ fd: controlFd, readable: true, writable: true });
    this.#control.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#control.on("error", (error) => this.#stop(error));
    this.#control.on("close", () => this.#stop(new Error("the launcher of cells has ended")));
    child.once("error", (error) => this.#stop(error));
    child.unref();
    this.#unref();
  }

  get layers(): readonly Layer[] {
    return this.#layers;
  }

  /** What a process of ours sees as its parent's pid: none where it has a namespace of its own. */
  get parentPid(): number {
    return this.#hasOwnProcesses ? 0 : (this.#child.pid ?? 0);
  }

  /** Tells the launcher what its processes may have; called once. */
  async prepare(setup: LauncherSetup): Promise<void> {
    this.#control.ref();
    this.#send(launcherFrames.setup, 0, encodeSetup(setup), []);
    const numbers = await this.#ready.promise;
    this.#unref();
    this.#layers = describeLayers(setup, numbers);
    this.#hasOwnProcesses = this.#layers.some(
      ({ name, state }) => name === "own-processes" && state === "held",
    );
  }

  async start(command: ProcessCommand): Promise<StartedProcess> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const id = this.#nextId++;
    const near: number[] = [];
    const far: number[] = [];
    const started = defer<number>();
    const ended = defer<ProcessEnd>();
    try {
      // The log, then the wire: the launcher takes them in this order.
      for (let count = 0; count < 2; count++) {
        const [ours, theirs] = makeSocketPair(this.#libc);
        near.push(ours);
        far.push(theirs);
      }
      for (const fd of [near[1], far[1]]) widenSocket(this.#libc, fd ?? -1, WIRE_BYTES);
      this.#follow(id, {
        ...{ started: started.resolve, failed: started.reject, ended: ended.resolve },
      });
      this.#ends.set(id, ended.promise);
      this.#send(launcherFrames.start, id, encodeStart(command), far);
      const pid = await started.promise;
      const [log = -1, wire = -1] = near;
      return {
        pid,
        wire: new Socket({ fd: wire, readable: true, writable: true }),
        log: new Socket({ fd: log, readable: true, writable: false }),
        ended: ended.promise,
        kill: () => this.#kill(id),
      };
    } catch (error) {
      this.#forget(id);
      for (const fd of near) closeSync(fd);
      throw error;
    } finally {
      for (const fd of far) closeSync(fd);
    }
  }

  async close(): Promise<void> {
    this.#stopped ??= new Error("the launcher of cells is closed");
    for (const id of this.#processes.keys()) this.#kill(id);
    await Promise.all(this.#ends.values());
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#control.destroy();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.ref();
      await gone;
    }
  }

  #kill(id: number): void {
    if (this.#processes.has(id)) this.#send(launcherFrames.kill, id, Buffer.alloc(0), []);
  }

  #send(kind: number, id: number, body: Buffer, fds: readonly number[]): void {
    const frame = Buffer.concat([encodeHeader(body.length, kind, id), body]);
    this.#sender.send(this.#controlFd, frame, fds);
  }

  #take(chunk: Buffer): void {
    for (const answer of this.#answers.take(chunk)) this.#receive(answer);
  }

  #receive(answer: LauncherAnswer): void {
    if (answer.kind === "ready") return this.#ready.resolve(answer.numbers);
    const pending = this.#processes.get(answer.id);
    if (pending === undefined) return;
    if (answer.kind === "started") {
      pending.pid = answer.number;
      pending.started(answer.number);
    } else if (answer.kind === "failed") {
      pending.failed(new Error(`the cell could not be started: ${errnoName(answer.number)}`));
    } else {
      pending.ended(readStatus(answer.number));
      this.#forget(answer.id);
    }
  }

  #follow(id: number, pending: Pending): void {
    this.#processes.set(id, pending);
    // The process counts as something the server waits for; an idle launcher does not.
    this.#control.ref();
  }

  #forget(id: number): void {
    this.#processes.delete(id);
    this.#ends.delete(id);
    if (this.#processes.size === 0) this.#unref();
  }

  #unref(): void {
    this.#control.unref();
  }

  /** Without the launcher the kernel kills every process it started; what was just being started may be missed. */
  #stop(error: Error): void {
    this.#stopped ??= error;
    this.#ready.reject(this.#stopped);
    for (const pending of this.#processes.values()) {
      if (pending.pid !== undefined) killAnyway(pending.pid);
      pending.failed(this.#stopped);
      pending.ended({ code: null, signal: "SIGKILL" });
    }
    this.#processes.clear();
    this.#ends.clear();
  }
}

function killAnyway(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It is gone, as it should be.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** A status of wait(2). */
function readStatus(status: number): ProcessEnd {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff, signal: null };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { code: null, signal: name ?? `signal ${signal}` };
}

function errnoName(errno: number): string {
  const name = Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
  return name ?? `errno ${errno}`;
}
