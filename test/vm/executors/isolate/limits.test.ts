import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExecResult, LimitValues, Vms } from "../../../../src/vm/index.ts";
import { built } from "../../../support/built-vms.ts";

let vms: Vms;
beforeAll(() => {
  vms = new built.Vms({ poolSize: 0 });
});
afterAll(() => vms.close());

/** Runs JavaScript in a VM with these limits, and looks whether the VM is well afterwards. */
async function run(limits: Partial<LimitValues>, code: string): Promise<ExecResult> {
  const vm = await vms.create({ limits });
  const result = await vm.run(code);
  expect((await vm.exec("echo well")).stdout).toBe("well\n");
  expect(vm.info().restarts).toBe(0);
  await vm.destroy();
  return result;
}

/** With hardly a refill: a busy machine may give a loop less than the usual one. */
const littleCpu = { cpuTimeLimitMs: 300, cpuRefillMsPerSecond: 1 };

describe("a JavaScript process", () => {
  it("is ended at v8HeapLimitMb, with Node's words", async () => {
    const result = await run({ v8HeapLimitMb: 32 }, "const all = []; for (;;) all.push({});");
    expect(result).toMatchObject({ exitCode: 134, signal: "SIGABRT" });
    expect(result.stderr).toContain("JavaScript heap out of memory");
    expect(result.notices).toEqual([
      expect.stringMatching(
        /^Aborted process \d+ \(.*\): its JavaScript heap reached its limit of 32 MB\. To raise it, use node --max-old-space-size, limits\.v8HeapLimitMb of the VM, or its memoryMb\.$/,
      ),
    ]);
  });

  it("is ended there in a loop of builtins alone, too", async () => {
    const code = "const all = []; for (;;) all.push(new Array(1000).fill(0));";
    expect(await run({ v8HeapLimitMb: 32 }, code)).toMatchObject({ signal: "SIGABRT" });
    const emptying = "for (;;) new Array(1000).fill(0);";
    expect(await run(littleCpu, emptying)).toMatchObject({ signal: "SIGXCPU" });
  });

  it("is ended at cpuTimeLimitMs, whatever it catches", async () => {
    const code = "process.on('SIGXCPU', () => {}); for (;;) try { for (;;); } catch {}";
    const result = await run(littleCpu, code);
    expect(result).toMatchObject({ signal: "SIGXCPU" });
    expect(result.notices).toEqual([
      expect.stringMatching(
        /^Ended process \d+ \(.*\): it used its 0\.3 s of CPU time \(0\.001 s more for each second it runs\)\. To raise it, create the VM with larger limits\.cpuTimeLimitMs or limits\.cpuRefillMsPerSecond\.$/,
      ),
    ]);
  });

  it("has the heap that --max-old-space-size asks for, within the VM's memory", async () => {
    const limit = "require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20";
    const code = `
      const { execFileSync } = require("node:child_process");
      const ask = (flags, env) =>
        Number(execFileSync(process.execPath, [...flags, "-p", ${JSON.stringify(limit)}], { env: { ...process.env, ...env } }));
      const usual = ask([], {});
      const young = usual - 1024;
      console.log(
        ask(["--max-old-space-size=100"], {}) - young,
        ask([], { NODE_OPTIONS: "--max-old-space-size=200" }) - young,
        ask(["--max-old-space-size=100000"], {}) - young,
      );`;
    expect(await run({}, code)).toMatchObject({ stdout: "100 200 1024\n", stderr: "" });
  });

  it("may wait as long as it likes", async () => {
    const code = "setTimeout(() => console.log('waited'), 1200)";
    expect(await run({ cpuTimeLimitMs: 1000 }, code)).toMatchObject({
      exitCode: 0,
      stdout: "waited\n",
    });
  });

  it("is refused beyond maxIsolates, and let in again", async () => {
    const code = `
      const { spawnSync } = require("node:child_process");
      const run = () => spawnSync(process.execPath, ["-p", "1"]);
      const { spawn } = require("node:child_process");
      const waiting = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
      const { stderr, status } = run();
      console.log(status, String(stderr).trim());
      waiting.on("exit", () => console.log(String(run().stdout).trim())).stdin.end();`;
    const { stdout } = await run({ maxIsolates: 2 }, code);
    const words = "node: Resource temporarily unavailable (limit maxIsolates is 2;";
    expect(stdout).toBe(`1 ${words} raise limits.maxIsolates of the VM)\n1\n`);
  });

  it("is ended at wallClockLimitMs", async () => {
    const code = "setInterval(() => {}, 1000)";
    expect(await run({ wallClockLimitMs: 300 }, code)).toMatchObject({ signal: "SIGALRM" });
  });
});
