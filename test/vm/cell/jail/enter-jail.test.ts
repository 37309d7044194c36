import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CellStarter } from "../../../../src/vm/broker/cell-process/cell-starter.ts";
import { enterJail } from "../../../../src/vm/cell/jail/enter-jail.ts";
import { layerNames } from "../../../../src/vm/confinement/layer.ts";
import { notJailable, unless } from "../../../support/unless.ts";

const folder = fileURLToPath(new URL("../../../support/cells", import.meta.url));

describe("enterJail", () => {
  let starter: CellStarter;

  beforeAll(async () => {
    starter = await CellStarter.create({ readable: [folder] });
  });

  afterAll(() => starter.close());

  async function ask(name: string): Promise<unknown> {
    const entry = `${folder}/${name}-cell.ts`;
    const cell = await starter.spawnCell({ entry, memoryLimitBytes: 512 * 1024 * 1024 });
    const [text] = await once(cell.wire, "data");
    cell.kill();
    await cell.exited;
    return JSON.parse(String(text));
  }

  it("stops patterns that backtrack without end and memories beyond 256 MiB", async () => {
    expect(await ask("engine")).toEqual({
      matched: false,
      to256MiB: "grown",
      onePageMore: "refused",
    });
  });

  it(
    "reports each of its layers once, in the order it enters them",
    unless(notJailable),
    async () => {
      const report = await ask("echo");
      expect(report).toEqual({
        ready: true,
        layers: [
          {
            name: "parent-death",
            state: "held",
            detail: "killed by the kernel when the server ends",
          },
          {
            name: "not-dumpable",
            state: "held",
            detail: "no core dump, no tracing by the same user",
          },
          { name: "resource-limits", state: "held", detail: "no core file, 256 open files" },
          {
            name: "no-new-privileges",
            state: "held",
            detail: "setuid and file capabilities have no effect",
          },
          {
            name: "seccomp",
            state: "held",
            detail: "83 system calls on all threads, the others fail",
          },
          {
            name: "permission-model",
            state: "held",
            detail: "reads its own code; no writes, network, processes, threads or native code",
          },
        ],
      });
    },
  );

  it("says of every layer that it was left out, and of a process without --permission that nothing guards it", () => {
    const report = enterJail({ parentPid: process.ppid, dropAddons: false, without: layerNames });
    const off = { state: "not-held", detail: "switched off by an option" };
    expect(report.layers).toEqual([
      { name: "parent-death", ...off },
      { name: "not-dumpable", ...off },
      { name: "resource-limits", ...off },
      { name: "no-new-privileges", ...off },
      { name: "seccomp", ...off },
      {
        name: "permission-model",
        state: "not-held",
        detail: "this process was started without --permission",
      },
    ]);
  });
});
