import { cpus } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../../src/vm/index.ts";
import { built } from "../../../support/built-vms.ts";

let vms: Vms;
let vm: Vm;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  vm = await vms.create();
});
afterAll(() => vms.close());

async function run(script: string): Promise<string> {
  const { stdout, stderr, exitCode } = await vm.exec(script);
  expect([stderr, exitCode]).toEqual(["", 0]);
  return stdout;
}

/** Computes for 300 ms of CPU time, however long that takes. */
const BUSY = "const u = process.threadCpuUsage(); while (process.threadCpuUsage(u).user < 300000);";

describe("the CPU time", () => {
  it("of a program is what it computes, and not what it sleeps", async () => {
    const compute = "awk 'BEGIN { for (i = 0; i < 1000000; i++) s += i }'";
    const script = `exec 2>&1; TIMEFORMAT=%U; time ${compute}; time sleep 0.5`;
    const [computed, slept] = (await run(script)).trim().split("\n").map(Number);
    expect(computed).toBeGreaterThan(0.02);
    expect(slept).toBeLessThan(0.1);
  });

  it("of a program is in ps and /proc while it runs", async () => {
    const loop = "while :; do :; done & ";
    const wait = "until [ $(cut -d ' ' -f 14 /proc/$!/stat) -ge 110 ]; do sleep 0.05; done;";
    expect(await run(`${loop} ${wait} ps -o time= -p $!; kill $!`)).toMatch(/^00:00:0[1-9]\n$/);
  });

  it("of a JavaScript process is what all of its threads compute", async () => {
    const worker = `new (require('node:worker_threads').Worker)(${JSON.stringify(BUSY)}, { eval: true })`;
    const main = `${BUSY} ${worker}.on('exit', () => console.log(process.cpuUsage().user >= 600000, process.resourceUsage().userCPUTime >= 600000));`;
    await vm.files.write("/tmp/busy.cjs", main);
    const script =
      "TIMEFORMAT=%U; { time node /tmp/busy.cjs; } 2>&1; times > /tmp/times; tail -n 1 /tmp/times";
    const [said, timed, children] = (await run(script)).trim().split("\n");
    expect(said).toBe("true true");
    expect(Number(timed)).toBeGreaterThan(0.6);
    expect(children).toMatch(/^0m(?:0\.[6-9]|[1-9])/);
  });
});

describe("the processors", () => {
  it("are counted alike everywhere, and the load says how many were busy", async () => {
    const code =
      "const os = require('node:os'); const [load] = os.loadavg(); console.log(os.cpus().length, os.availableParallelism(), load > 0 && load < 8, os.cpus()[0].times.user > 0)";
    const count = Math.min(cpus().length, 8);
    expect(await run(`nproc; node -p '${BUSY} 1'; node -e "${code}"; cat /proc/loadavg`)).toMatch(
      new RegExp(`^${count}\n1\n${count} ${count} true true\n0\\.0[1-9] 0\\.\\d\\d 0\\.\\d\\d `),
    );
  });
});
