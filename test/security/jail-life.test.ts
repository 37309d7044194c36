// A cell never outlives its server, and never takes more than it was given.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { findProcess } from "../support/processes.ts";
import { notLinux, unless } from "../support/unless.ts";

const parentEntry = fileURLToPath(new URL("../support/cells/parent.ts", import.meta.url));
const cellEntry = (name: string): string =>
  fileURLToPath(new URL(`../support/cells/${name}-cell.ts`, import.meta.url));

describe("a cell whose server is killed", unless(notLinux), () => {
  const servers: ChildProcess[] = [];
  const cells: number[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.kill("SIGKILL");
    for (const pid of cells.splice(0))
      if (findProcess(pid) !== undefined) process.kill(pid, "SIGKILL");
  });

  async function startServer(
    entry: string,
    without: string[] = [],
  ): Promise<{ server: ChildProcess; cell: number; launcher: number | undefined }> {
    const server = spawn(process.execPath, ["--no-warnings", parentEntry, entry, ...without], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    servers.push(server);
    if (server.stdout === null) throw new Error("no stdout");
    const [line] = await once(server.stdout, "data");
    const cell = Number(line);
    cells.push(cell);
    const launcher = findProcess(cell)?.parentPid;
    expect(findProcess(launcher ?? 0)?.parentPid).toBe(server.pid);
    return { server, cell, launcher };
  }

  it.each(["echo", "spin"])("dies with it (%s cell)", async (name) => {
    const { server, cell } = await startServer(cellEntry(name));
    server.kill("SIGKILL");
    await once(server, "exit");
    await eventually("the cell is gone", () => findProcess(cell) === undefined);
  });

  it("dies with the launcher that started it, and the server is told", async () => {
    const { server, cell, launcher } = await startServer(cellEntry("spin"));
    process.kill(launcher ?? 0, "SIGKILL");
    await eventually("the cell is gone", () => findProcess(cell) === undefined);
    expect(server.exitCode).toBe(null);
  });

  it("would spin on for ever without the parent-death layer", async () => {
    const { server, cell, launcher } = await startServer(cellEntry("spin"), ["parent-death"]);
    server.kill("SIGKILL");
    await once(server, "exit");
    await eventually("the cell has a new parent", () => findProcess(cell)?.parentPid !== launcher);
    const before = findProcess(cell)?.ticks ?? Number.NaN;
    await eventually("the orphan still computes", () => (findProcess(cell)?.ticks ?? 0) > before);
  });

  it("ends at once when its server is not the process that started it", async () => {
    const options = JSON.stringify({ parentPid: 1, dropAddons: false, without: [] });
    const orphan = spawn(process.execPath, ["--no-warnings", cellEntry("echo"), options], {
      stdio: ["ignore", "ignore", "inherit", "pipe"],
    });
    servers.push(orphan);
    const [code, signal] = await once(orphan, "exit");
    expect([code, signal]).toEqual([0, null]);
  });
});
