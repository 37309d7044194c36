import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";

describe("an option of Node that a VM does not have", () => {
  let vms: Vms;
  let vm: Vm;
  beforeAll(async () => {
    vms = new built.Vms({ poolSize: 0 });
    vm = await vms.create();
  });
  afterAll(() => vms.close());

  it.each(["node --permission -p 1", "NODE_OPTIONS=--permission node -p 1"])(
    "refuses to run a script unprotected: %s",
    async (command) => {
      const { stdout, stderr, exitCode } = await vm.exec(command);
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: "",
        stderr: "node: --permission is not supported in a VM\n",
        exitCode: 9,
      });
    },
  );

  it.each([
    "--harmony-shadow-realm",
    "--disallow-code-generation-from-strings",
    "--allow-natives-syntax",
    "--use-strict",
    "--trace-gc",
    "--jitless",
    "--abort-on-uncaught-exception",
  ])("refuses a flag of V8 that would be missed: %s", async (flag) => {
    const { stdout, stderr, exitCode } = await vm.exec(`node ${flag} -p 1`);
    const problem = `${flag} is not supported in a VM: V8's flags are the server's there`;
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: `node: ${problem}\n`,
      exitCode: 9,
    });
  });

  it("takes flags of V8 about speed and memory, and no number that is none", async () => {
    const taken =
      "--max-semi-space-size=16 --no-opt --max-old-space-size=100 --stack-trace-limit=3 --expose-gc";
    expect(await vm.exec(`node ${taken} -p 'Error.stackTraceLimit'`)).toMatchObject({
      stdout: "3\n",
      stderr: "",
    });
    for (const flag of ["--max-old-space-size=abc", "--max-old-space-size", "--stack-size=-1"]) {
      const wrong = { stdout: "", stderr: `node: bad option: ${flag}\n`, exitCode: 9 };
      expect(await vm.exec(`node ${flag} -p 1`)).toMatchObject(wrong);
      expect(await vm.exec(`NODE_OPTIONS='${flag}' node -p 1`)).toMatchObject(
        flag.startsWith("--stack") ? { exitCode: 9 } : wrong,
      );
    }
  });

  it.each([
    ["--nonsense", "--nonsense is not allowed in NODE_OPTIONS"],
    ["--harmony-foo", "--harmony-foo is not allowed in NODE_OPTIONS"],
    ["--experimental-test-coverage", "--experimental-test-coverage is not allowed in NODE_OPTIONS"],
    ["-e 1", "-e is not allowed in NODE_OPTIONS"],
    ['"--no-warnings', "invalid value for NODE_OPTIONS (unterminated string)\n"],
  ])("is refused in NODE_OPTIONS as Node does: %s", async (options, problem) => {
    const { stdout, stderr, exitCode } = await vm.exec("node -p 1", {
      env: { NODE_OPTIONS: options },
    });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: `node: ${problem}\n`,
      exitCode: 9,
    });
  });

  const full = "where there is a full Node";
  const coverage = `V8 tells no coverage there. Use nyc, which instruments the sources, or run the tests ${full}`;
  const profile = `V8's profiler is not there. Measure with performance.now() or console.time(), or run the script ${full}`;
  it.each([
    ["node --cpu-prof a.js", "--cpu-prof", profile],
    ["node --prof a.js", "--prof", profile],
    ["NODE_OPTIONS=--cpu-prof node a.js", "--cpu-prof", profile],
    ["node --test --experimental-test-coverage a.js", "--experimental-test-coverage", coverage],
    ["NODE_V8_COVERAGE=out node a.js", "NODE_V8_COVERAGE", coverage],
    [
      "node --heap-prof a.js",
      "--heap-prof",
      `V8's heap profiler is not there. Compare process.memoryUsage() before and after, or run the script ${full}`,
    ],
    [
      "node --inspect-brk=127.0.0.1:9229 a.js",
      "--inspect-brk",
      `V8's inspector is not there. Use console.log and node --test, or run the script ${full}`,
    ],
  ])("is refused at once, with what to use: %s", async (command, option, instead) => {
    const { stdout, stderr, exitCode } = await vm.exec(`echo 'console.log(1)' > a.js; ${command}`);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: `node: ${option} is not supported in a VM: ${instead}\n`,
      exitCode: 9,
    });
  });
});
