// What both ways of starting a process promise.
import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DirectStarter } from "../../../../src/vm/broker/cell-process/direct-starter.ts";
import { findLauncher } from "../../../../src/vm/broker/cell-process/launcher-setup.ts";
import { createLauncher } from "../../../../src/vm/broker/cell-process/launcher-starter.ts";
import type {
  ProcessStarter,
  StartedProcess,
} from "../../../../src/vm/broker/cell-process/process-starter.ts";
import { openLibc } from "../../../../src/vm/confinement/libc.ts";

function describeStarterContract(name: string, make: () => Promise<ProcessStarter>): void {
  describe(`${name} (process starter contract)`, () => {
    let starter: ProcessStarter;

    beforeAll(async () => {
      starter = await make();
    });

    afterAll(() => starter.close());

    function start(script: string): Promise<StartedProcess> {
      return starter.start({
        file: process.execPath,
        args: ["--no-warnings", "-e", script],
        workingDirectory: tmpdir(),
        environment: { ONLY: "this" },
      });
    }

    it("gives a process the environment, log and wire it was asked for", async () => {
      const started = await start(`
        console.log(Object.keys(process.env).join());
        console.error(process.pid);
        const wire = new (require("node:net").Socket)({ fd: 3 });
        wire.once("data", (chunk) => wire.end("got " + chunk));
      `);
      started.wire.write("ping");
      const [log, wire, end] = await Promise.all([
        text(started.log),
        text(started.wire),
        started.ended,
      ]);
      // The two streams of the log may come in either order.
      expect(log.split("\n").sort()).toEqual(["", String(started.pid), "ONLY"].sort());
      expect([wire, end]).toEqual(["got ping", { code: 0, signal: null }]);
    });

    it("tells the exit status", async () => {
      const started = await start("process.exit(7)");
      expect(await started.ended).toEqual({ code: 7, signal: null });
    });

    it("kills a process that spins, and takes a second kill for nothing", async () => {
      const started = await start("require('node:fs').writeSync(3, 'spinning'); for (;;);");
      await once(started.wire, "data");
      started.kill();
      expect(await started.ended).toEqual({ code: null, signal: "SIGKILL" });
      started.kill();
    });

    it("rejects when there is no such program, and goes on", async () => {
      const command = { args: [], workingDirectory: tmpdir(), environment: {} };
      await expect(starter.start({ ...command, file: "/no/such/program" })).rejects.toThrow(
        "ENOENT",
      );
      expect(await (await start("")).ended).toEqual({ code: 0, signal: null });
    });

    it("kills what still runs when it is closed", async () => {
      const own = await make();
      const started = await own.start({
        file: process.execPath,
        args: ["-e", "setInterval(() => {}, 1000)"],
        workingDirectory: tmpdir(),
        environment: {},
      });
      await own.close();
      expect(await started.ended).toEqual({ code: null, signal: "SIGKILL" });
    });
  });
}

describeStarterContract("DirectStarter", async () => new DirectStarter("for a test"));

const libc = openLibc();
if (typeof libc !== "string") {
  const nothing = {
    ...{ layers: [], firstUser: 0, threads: 0, filter: new Uint8Array() },
    ...{ readable: [], executable: [], links: [] },
  };
  describeStarterContract("LauncherStarter", () => createLauncher(libc, findLauncher(), nothing));
}

describe("DirectStarter", () => {
  it("says that its processes start without what the launcher does", () => {
    const state = process.platform === "linux" ? "not-held" : "unavailable";
    const names = [
      ...["landlock", "io-uring-off", "own-user", "no-capabilities", "own-processes"],
      ...["own-network", "own-ipc", "own-files", "few-threads"],
    ];
    expect(new DirectStarter("no ffi").layers).toEqual(
      names.map((name) => ({ name, state, detail: "no ffi" })),
    );
  });
});
