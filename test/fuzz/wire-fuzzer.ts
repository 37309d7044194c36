// A lying cell: it takes what the server calls, and answers with valid frames, changed ones and bytes that are none. The
// server's side is the real one; only the process is not there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, Readable } from "node:stream";
import { tool, toolkit } from "../../src/toolkit-cli/index.ts";
import { CellClient } from "../../src/vm/broker/cell-client.ts";
import { CellProcess } from "../../src/vm/broker/cell-process/cell-process.ts";
import type { ProcessEnd } from "../../src/vm/broker/cell-process/process-starter.ts";
import { Watchdog } from "../../src/vm/broker/cell-process/watchdog.ts";
import { Disk } from "../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../src/vm/broker/folders/host-folder.ts";
import { HostError } from "../../src/vm/host-error.ts";
import { LogSpace } from "../../src/vm/log-space.ts";
import { Vm } from "../../src/vm/vm.ts";
import { encodeFrame, type FrameHeader, FrameReader } from "../../src/vm/wire/frame.ts";
import { pass } from "../support/host-commands.ts";
import { makeWirePair } from "../support/wire-pair.ts";
import { Chance, mutate, mutateBytes } from "./chance.ts";

/** What a frame of a cell may look like; `stream` 0 and `id` 0 stand for one that is there. */
export interface FrameCase {
  readonly header: FrameHeader;
  readonly body?: string;
  /** No honest cell sends it, at least at most times. */
  readonly isFalse?: true;
}

const canary = "not in the mount\n";

/** The places that lives of the VM share. */
export class WireFuzzer {
  readonly #root = mkdtempSync(join(tmpdir(), "wire-fuzz-"));
  readonly #disk = new Disk();
  readonly #cases: readonly FrameCase[];
  readonly problems: string[] = [];
  /** Frames that were sent. */
  frames = 0;

  constructor(cases: readonly FrameCase[]) {
    this.#cases = cases;
    writeFileSync(join(this.#root, "canary"), canary);
  }

  /** One life of a VM: boots, is used while its cell lies, ends. */
  async run(seed: number, frames: number): Promise<void> {
    const folder = mkdtempSync(join(this.#root, "mount-"));
    writeFileSync(join(folder, "file"), "content");
    const fileSystem = await HostFolder.open(this.#disk, { path: folder, limitBytes: 1 << 24 });
    const cells: LyingCell[] = [];
    const vm = new Vm({
      id: "fuzzed",
      options: {
        commands: [pass],
        toolkits: [echoing],
        mounts: [{ at: "/mnt", fileSystem }],
        onPermissionRequest: async () => "allow",
      },
      pool: {
        take: async () => {
          const cell = new LyingCell(new Chance(seed), this.#cases);
          cells.push(cell);
          await cell.client.ready;
          return cell.client;
        },
      },
      disk: this.#disk,
      logDirectory: join(this.#root, "logs"),
      logSpace: new LogSpace(1 << 24),
      log: (line) => this.#look(seed, line),
      forget: () => undefined,
    });
    try {
      await this.#use(seed, vm, cells, frames);
    } finally {
      await vm.destroy();
      await fileSystem.close();
      rmSync(folder, { recursive: true });
    }
    if (readFileSync(join(this.#root, "canary"), "utf8") !== canary) {
      this.problems.push(`seed ${seed}: a file beside the mount has changed`);
    }
  }

  async close(): Promise<void> {
    await this.#disk.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #use(seed: number, vm: Vm, cells: readonly LyingCell[], frames: number): Promise<void> {
    await vm.start();
    const [cell] = cells;
    if (cell === undefined) throw new Error("no cell was taken");
    const uses = [
      vm.exec("true", { stdin: "input" }),
      vm.exec("true", { pty: { cols: 80, rows: 24, hasScreen: true } }),
      vm.files.list("/"),
      vm.files.read("/file"),
      vm.processes(),
      vm.audit(),
      watchOnce(vm),
    ];
    const settled = Promise.allSettled(uses);
    for (let sent = 0; sent < frames && !cell.isOver; sent++) {
      cell.lie();
      this.frames += 1;
      // The server has its turn after some.
      if (sent % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
    }
    cell.end();
    for (const result of await settled) {
      if (result.status === "rejected") this.#lookAt(seed, result.reason);
    }
  }

  /** A user sees what is wrong as an error of ours or an errno, never as a bug. */
  #lookAt(seed: number, reason: unknown): void {
    const isOurs =
      reason instanceof HostError || (reason instanceof Error && reason.name === "KernelError");
    if (!isOurs) this.problems.push(`seed ${seed}: a caller got ${String(reason)}`);
  }

  #look(seed: number, line: string): void {
    if (/TypeError|RangeError|ReferenceError|invariant|Cannot read|is not a function/.test(line)) {
      this.problems.push(`seed ${seed}: ${line}`);
    }
  }
}

const echoing = toolkit("demo", {
  description: "For fuzzing.",
  tools: {
    echo: tool({
      description: "Answers its input.",
      input: { type: "object" },
      handler: (input: unknown) => input,
    }),
  },
});

async function watchOnce(vm: Vm): Promise<void> {
  for await (const _ of vm.watch("/")) return;
}

/** The far end of a wire whose near end is a CellClient. */
class LyingCell {
  readonly client: CellClient;
  readonly #wire: Duplex;
  readonly #chance: Chance;
  readonly #cases: readonly FrameCase[];
  readonly #reader = new FrameReader();
  readonly #ended = Promise.withResolvers<ProcessEnd>();
  /** Calls that wait for an answer, and the streams that the server has named. */
  readonly #calls: { readonly id: number; readonly method: string }[] = [];
  readonly #streams: number[] = [1];
  /** In this life, a frame is false one of so many times. */
  readonly #honesty: number;
  #nextStream = 2;
  #nextId = 1;
  isOver = false;

  constructor(chance: Chance, cases: readonly FrameCase[]) {
    const [near, far] = makeWirePair();
    this.#wire = far;
    this.#chance = chance;
    this.#cases = cases;
    this.#honesty = chance.pick([1, 4, 20, 100]);
    far.on("data", (chunk: Buffer) => this.#hear(chunk));
    far.on("close", () => {
      this.isOver = true;
    });
    const started = {
      pid: process.pid,
      wire: near,
      log: Readable.from([]),
      ended: this.#ended.promise,
      kill: () => this.end(),
    };
    const cell = new CellProcess(started, { memoryLimitBytes: 2 ** 40, layers: [] });
    const clock = { now: () => 0, every: () => () => undefined };
    this.client = new CellClient(cell, new Watchdog({ clock }));
    this.#send({ type: "ready" });
  }

  end(): void {
    this.isOver = true;
    this.#ended.resolve({ code: null, signal: "SIGKILL" });
  }

  /** One more frame, true or false. */
  lie(): void {
    const chance = this.#chance;
    const isFalse = chance.oneIn(this.#honesty);
    if (chance.oneIn(4)) return this.#answer(isFalse);
    const { header, body = "", isFalse: isAlwaysFalse } = chance.pick(this.#cases);
    if (isAlwaysFalse === true && !isFalse) return undefined;
    const named = this.#name(header);
    const bytes = Buffer.from(body);
    if (!isFalse) return this.#send(named, bytes);
    if (!chance.oneIn(4)) {
      const changed = mutate(named, chance);
      const isHeader = typeof changed === "object" && changed !== null && !Array.isArray(changed);
      return this.#send(isHeader ? { ...changed } : { type: changed }, mutateBytes(bytes, chance));
    }
    if (!chance.oneIn(8)) return this.#send(named, chance.bytes(300));
    return this.#write(mutateBytes(encodeFrame(named, bytes), chance));
  }

  /** Puts a number that means something in the place of each 0. */
  #name(header: FrameHeader): FrameHeader {
    const chance = this.#chance;
    const copy: Record<string, unknown> = { ...header };
    const params = copy["params"];
    if (copy["type"] === "request") {
      copy["id"] = this.#nextId++;
      const opens = copy["method"] === "toolkit.open" || copy["method"] === "command.start";
      if (typeof params === "object" && params !== null && "stream" in params) {
        copy["params"] = { ...params, stream: opens ? this.#openStream() : this.#anyStream() };
      }
    } else if (copy["stream"] === 0) copy["stream"] = this.#anyStream();
    else if (copy["id"] === 0) copy["id"] = this.#calls.at(chance.int(9))?.id ?? 1;
    return copy;
  }

  #openStream(): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    this.#streams.push(stream);
    return stream;
  }

  #anyStream(): number {
    return this.#chance.pick(this.#streams);
  }

  #hear(chunk: Buffer): void {
    for (const { header } of this.#reader.push(Uint8Array.from(chunk))) {
      const { type, id, method, params } = header;
      if (type !== "call" || typeof id !== "number" || typeof method !== "string") continue;
      this.#calls.push({ id, method });
      if (typeof params === "object" && params !== null && "stream" in params) {
        if (typeof params.stream === "number") this.#streams.push(params.stream);
      }
      // Without these there is no VM to lie about.
      if (method === "boot" || method === "exec") this.#answer(false);
    }
  }

  #answer(isFalse: boolean): void {
    const call = this.#calls.pop();
    if (call === undefined) return;
    const value = isFalse ? mutate(answers[call.method] ?? {}, this.#chance) : answers[call.method];
    this.#send({ type: "result", id: call.id, value: value ?? {} });
  }

  #send(header: FrameHeader, body?: Uint8Array): void {
    let frame: Uint8Array;
    try {
      frame = encodeFrame(header, body);
    } catch {
      // Too large to be a frame, or not JSON.
      return;
    }
    this.#write(frame);
  }

  #write(bytes: Uint8Array): void {
    if (!this.isOver && this.#wire.writable) this.#wire.write(bytes);
  }
}

const stat = {
  kind: "file",
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: 5,
  nlink: 1,
  ino: 2,
  dev: 1,
  rdev: 0,
  blocks: 8,
  atimeMs: 0,
  mtimeMs: 0,
  ctimeMs: 0,
};
const answers: Readonly<Record<string, unknown>> = {
  exec: { pid: 7 },
  readFile: { sizeBytes: 5 },
  readdir: { entries: [{ name: "a", kind: "file", ino: 3 }], isEnd: true },
  stat,
  processes: { processes: [], isEnd: true },
  audit: { records: [] },
  screen: { isKept: false },
  writeFile: { isNew: true, sizeBefore: 0 },
};
