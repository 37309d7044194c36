import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CellProcess } from "../../../../src/vm/broker/cell-process/cell-process.ts";
import {
  type CellOptions,
  CellStarter,
} from "../../../../src/vm/broker/cell-process/cell-starter.ts";
import { Watchdog } from "../../../../src/vm/broker/cell-process/watchdog.ts";
import { quietAsks } from "../../../support/cell-asks.ts";
import { findProcess } from "../../../support/processes.ts";
import { notLinux, unless } from "../../../support/unless.ts";

const MEBIBYTE = 1024 * 1024;
const folder = fileURLToPath(new URL("../../../support/cells", import.meta.url));

describe("CellStarter", () => {
  let starter: CellStarter;
  const cells: CellProcess[] = [];

  beforeAll(async () => {
    // Without not-dumpable a test that is not root's can still look into /proc/<pid>/fd.
    starter = await CellStarter.create({ readable: [folder], without: ["not-dumpable"] });
  });

  afterEach(() => {
    for (const cell of cells.splice(0)) cell.kill();
  });

  afterAll(() => starter.close());

  async function start(name: string, options: Partial<CellOptions> = {}): Promise<CellProcess> {
    const entry = `${folder}/${name}-cell.ts`;
    const cell = await starter.spawnCell({ entry, memoryLimitBytes: 512 * MEBIBYTE, ...options });
    cells.push(cell);
    return cell;
  }

  it("carries bytes both ways over the wire once the jail stands", async () => {
    const cell = await start("echo");
    await once(cell.wire, "data");
    cell.wire.write("hello");
    const [echo] = await once(cell.wire, "data");
    expect(String(echo)).toBe("hello");
  });

  it("ends a cell that is killed, and says that it was asked to", async () => {
    const cell = await start("echo");
    await once(cell.wire, "data");
    cell.kill();
    expect(await cell.exited).toEqual({ code: null, signal: "SIGKILL", reason: "stopped" });
    expect([cell.wire.destroyed, cell.residentBytes()]).toEqual([true, undefined]);
  });

  it("calls the end of a cell that closes its side of the wire an exit", async () => {
    const cell = await start("lazy");
    const [text] = await once(cell.wire, "data");
    expect(JSON.parse(String(text))).toEqual([["CellWatch", "defaultWatchLimits"], "object"]);
    expect(await cell.exited).toEqual({ code: 0, signal: null, reason: "exited" });
  });

  it("calls a missing entry a crash and hands on the log", async () => {
    const log: string[] = [];
    const cell = await start("no-such", { onLog: (line) => log.push(line) });
    expect(await cell.exited).toEqual({ code: 1, signal: null, reason: "crashed" });
    expect(log).toContain(`Error: Cannot find module '${folder}/no-such-cell.ts'`);
  });

  it("refuses to start a Node that is not there", async () => {
    await using missing = await CellStarter.create({ nodePath: "/no/such/node" });
    await expect(missing.spawnCell({ entry: "/x.js", memoryLimitBytes: MEBIBYTE })).rejects.toThrow(
      "ENOENT",
    );
  });

  it("calls a full heap a matter of memory", async () => {
    const cell = await start("bomb", { args: ["heap"], heapLimitBytes: 32 * MEBIBYTE });
    expect((await cell.exited).reason).toBe("memory");
  });

  it("lets the watchdog kill a cell over its memory limit", unless(notLinux), async () => {
    const cell = await start("bomb", { args: ["buffers"], memoryLimitBytes: 200 * MEBIBYTE });
    const watch = new Watchdog().watch(cell, quietAsks);
    watch.setActive(true);
    expect(await cell.exited).toEqual({ code: null, signal: "SIGKILL", reason: "memory" });
  });

  it("lets the watchdog kill a cell that spins", async () => {
    const cell = await start("spin");
    await once(cell.wire, "data");
    const pings: string[] = [];
    const watchdog = new Watchdog({ limits: { pingEveryMs: 50, silentLimitMs: 100 } });
    watchdog.watch(cell, { ...quietAsks, ping: () => pings.push("ping") }).setActive(true);
    expect(await cell.exited).toEqual({ code: null, signal: "SIGKILL", reason: "silent" });
    expect(pings).toEqual(["ping"]);
  });

  it("closes a log that never ends, and cuts its lines", async () => {
    const log: string[] = [];
    const cell = await start("chatty", { onLog: (line) => log.push(line) });
    await cell.exited;
    expect([log[0], log[1]?.length, log.at(-1)]).toEqual([
      "first line",
      2_000,
      "the log is closed after 1048576 bytes",
    ]);
    expect(log.join("").length).toBeLessThan(1_100_000);
  });

  it("hands a cell nothing but its wire and its log", unless(notLinux), async () => {
    const secret = openSync(fileURLToPath(import.meta.url), "r");
    try {
      const [cell] = await Promise.all([start("echo"), start("echo")]);
      await once(cell.wire, "data");
      const links = readdirSync(`/proc/${cell.pid}/fd`).map((fd) =>
        readlinkSync(`/proc/${cell.pid}/fd/${fd}`),
      );
      const sockets = new Set(links.filter((link) => link.startsWith("socket:")));
      const others = links.filter((link) => !/^(socket|pipe|anon_inode):/.test(link));
      expect(sockets.size).toBe(2);
      expect([...new Set(others)]).toEqual(["/dev/null"]);
      expect(links.filter((link) => link.includes("io_uring"))).toEqual([]);
    } finally {
      closeSync(secret);
    }
  });

  it("gives a cell the kernel's marks of its jail", unless(notLinux), async () => {
    const cell = await start("echo");
    await once(cell.wire, "data");
    const status = readFileSync(`/proc/${cell.pid}/status`, "utf8");
    const limits = readFileSync(`/proc/${cell.pid}/limits`, "utf8");
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Seccomp:\t2$/m);
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(limits).toMatch(/^Max open files +256 +256 /m);
    expect(readFileSync(`/proc/${cell.pid}/oom_score_adj`, "utf8")).toBe("1000\n");
    expect(readFileSync("/proc/thread-self/status", "utf8")).toMatch(/^Seccomp:\t0$/m);
  });

  it("leaves no process behind when it is closed", async () => {
    const own = await CellStarter.create({ readable: [folder] });
    const entry = `${folder}/spin-cell.ts`;
    const two = await Promise.all(
      [1, 2].map(() => own.spawnCell({ entry, memoryLimitBytes: 512 * MEBIBYTE })),
    );
    await own.close();
    const ends = await Promise.all(two.map((cell) => cell.exited));
    expect(ends.map((end) => end.signal)).toEqual(["SIGKILL", "SIGKILL"]);
    if (notLinux === undefined)
      expect(two.map((cell) => findProcess(cell.pid))).toEqual([undefined, undefined]);
    await expect(own.spawnCell({ entry, memoryLimitBytes: MEBIBYTE })).rejects.toThrow("closed");
  });
});
