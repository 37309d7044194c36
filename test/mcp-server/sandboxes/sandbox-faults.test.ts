// What goes wrong with sandboxes: who waits is told, nothing is left, and other VMs of the server go on.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { unless } from "../../support/unless.ts";
import { findParents, findProcesses, findRemains } from "./remains.ts";
import { noSandboxes, Station } from "./station.ts";

let station: Station;
let mark = "";
let tests = 0;
const sh = (command: string) => station.sh("one", command);
const controller = () => station.sandboxes.get("one");

/** The VM that has nothing to do with it answers all the while, and has its own sandbox. */
async function beside<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  do {
    expect(await station.sh("other", "echo here; sandbox exec cat own")).toEqual({
      stdout: "here\nours\n",
      stderr: "",
      exitCode: 0,
    });
  } while (!isOver);
  return over;
}

/** The sandbox of the VM is over: what is left of it here, and whether another may be started. */
async function expectNothingLeft(ref: string): Promise<void> {
  const remains = () => findRemains({ home: station.home, ref, mark });
  await eventually("nothing is left", () => remains().length === 0).catch(() => undefined);
  expect(remains()).toEqual([]);
  expect(await sh("sandbox exec echo again")).toEqual({
    stdout: "again\n",
    stderr: "",
    exitCode: 0,
  });
}

function refOf(): string {
  const { current } = controller();
  if (current === undefined) throw new Error("there is no sandbox");
  return current.ref;
}

describe("a fault of a sandbox", unless(noSandboxes), () => {
  beforeEach(async () => {
    tests += 1;
    mark = `mark-${process.pid}-${tests}`;
    // Two may run: a place that is not given back is missed at once.
    station = new Station({ maxRunning: 2, limits: { memoryMb: 128, pids: 48, diskMb: 256 } });
    await station.sh("other", "echo ours > /sandbox/own; sandbox start");
  });
  afterEach(() => station.close());

  it("that dies with a command in it", async () => {
    const running = sh(`sandbox exec -- sh -c 'echo begun; sleep 600; : ${mark}'; echo $?`);
    await eventually("it runs", () => findProcesses(mark).length > 0);
    const ref = refOf();
    const [inner = 0] = findProcesses(mark);
    for (const pid of findParents(inner)) process.kill(pid, "SIGKILL");
    const ended = await beside(running);
    expect(ended.stdout).toMatch(/^(begun\n)?137\n$/);
    await eventually("it is over", () => controller().state === "none");
    expect((await sh("sandbox status")).stdout).toMatch(/none|no sandbox/);
    await expectNothingLeft(ref);
  });

  it("that cannot start half-way, for want of its files", async () => {
    const workspaces = join(station.home, "sandboxes", "workspaces");
    await station.sh("broken", "true");
    for (const server of readdirSync(workspaces)) {
      const names = readdirSync(join(workspaces, server)).filter((name) =>
        name.startsWith("broken-"),
      );
      for (const name of names) rmSync(join(workspaces, server, name), { recursive: true });
    }
    for (let i = 0; i < 3; i++) {
      const failed = await beside(station.sh("broken", `sandbox exec echo ${mark}`));
      expect(failed).toEqual({ stdout: "", exitCode: 125, stderr: expect.anything() });
      expect(failed.stderr).toMatch(/^sandbox: .+\n$/);
      expect(failed.stderr).not.toContain(station.home);
    }
    expect(station.sandboxes.get("broken").state).toBe("none");
    expect(station.records()).toContain('"cause":"Error: ENOENT: no such file or directory');
    expect((await station.sh("broken", "sandbox status --json")).stdout).not.toContain(
      station.home,
    );
    expect(readdirSync(join(station.home, "sandboxes", "local")).length).toBe(1);
    expect((await sh("sandbox exec echo another")).stdout).toBe("another\n");
  });

  it("whose start is called off at any moment", async () => {
    for (const delay of [0, 0.01, 0.02, 0.03, 0.05, 0.08]) {
      await beside(
        sh(
          `sandbox exec sleep 600.${mark} & sleep ${delay}; kill -KILL $!; wait; sandbox stop > /dev/null`,
        ),
      );
      await eventually("nothing runs", () => controller().processes.runningCount === 0);
    }
    await controller().stop("test");
    expect(findProcesses(mark)).toEqual([]);
    expect(await sh("sandbox exec echo again")).toMatchObject({ stdout: "again\n" });
    expect(readdirSync(join(station.home, "sandboxes", "local")).length).toBe(2);
  });

  it("by a fork bomb", async () => {
    const bomb = `b() { b | b & }; b; sleep 600; : ${mark}`;
    const running = sh(
      `timeout -s KILL 3 sandbox exec -- sh -c '${bomb}' > /dev/null 2>&1; echo $?`,
    );
    // The bomb's own shell may be the one that cannot fork.
    expect((await beside(running)).stdout).toMatch(/^(2|137)\n$/);
    const ref = refOf();
    await sh("sandbox stop");
    expect(findProcesses(mark)).toEqual([]);
    expect((await sh("sandbox exec echo alive")).stdout).toBe("alive\n");
    await station.box.vms.get("one").destroy();
    await eventually("it is destroyed", () =>
      station.records().includes(`"destroyed","facts":{"ref":"${ref}"`),
    );
    await expectNothingLeft(ref);
  });

  it("by a memory bomb, over and over", async () => {
    await sh("sandbox start");
    const ref = refOf();
    const bombs = `for i in 1 2 3; do sandbox exec -- sh -c 'tail /dev/zero || exit $?; : ${mark}'; echo $?; done`;
    const { stdout, stderr } = await beside(sh(bombs));
    expect(stdout).toMatch(/^([1-9]\d*\n){3}$/);
    expect(stderr).toContain("memory");
    await station.box.vms.get("one").destroy();
    await expectNothingLeft(ref);
  });

  it("by output as fast as it comes, read by nobody and read by all", async () => {
    await sh("sandbox start");
    const before = process.memoryUsage().rss;
    const flood = `sandbox exec -- sh -c 'cat /dev/zero; : ${mark}'`;
    const unread = await beside(sh(`${flood} | sleep 3; echo \${PIPESTATUS[0]}`));
    expect(unread.stdout).toBe("141\n");
    const read = await beside(sh(`${flood} | head -c 60000000 | wc -c`));
    expect(read.stdout).toBe("60000000\n");
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
    await eventually("nothing runs", () => controller().processes.runningCount === 0);
    await eventually("no process is left", () => findProcesses(mark).length === 0);
  });

  it("of one VM that is destroyed does not touch that of another, both started at once", async () => {
    const [one, two] = ["one", "two"];
    await station.box.vms.get("other").destroy();
    const start = (vm: string) =>
      station.sh(
        vm,
        `echo ${vm} > /sandbox/own; sandbox exec -d -- sh -c 'cat own; sleep 600; : ${mark}'; sandbox exec cat own`,
      );
    const started = await Promise.all([one, two].map(start));
    expect(started.map(({ stdout }) => stdout)).toEqual(["1\none\n", "1\ntwo\n"]);
    const ref = refOf();
    await station.box.vms.get(one).destroy();
    expect((await station.sh(two, "sandbox logs 1; sandbox ps | grep -c running")).stdout).toBe(
      "two\n1\n",
    );
    await eventually("one's is over", () =>
      station.records().includes(`"destroyed","facts":{"ref":"${ref}"`),
    );
    expect(findRemains({ home: station.home, ref, mark: "no such mark" })).toEqual([]);
    await station.box.vms.get(two).destroy();
    await eventually("no process is left", () => findProcesses(mark).length === 0);
  });
});
