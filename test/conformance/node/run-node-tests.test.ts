import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findModule } from "./module-groups.ts";
import { judge } from "./outcome.ts";
import { countModules, countReasons, formatTable } from "./report.ts";
import { describeTestFile } from "./test-file.ts";

describe("a file of Node's tests", () => {
  it.each([
    ["test-fs-access.js", "fs"],
    ["test-stream2-basic.js", "stream"],
    ["test-http-agent.js", "http"],
    ["test-http2-origin.js", undefined],
    ["test-https-get.js", undefined],
    ["test-whatwg-url-custom-href.js", "url"],
    ["test-whatwg-readablestream.js", "web"],
    ["test-repl.js", undefined],
  ])("%s is about %s", (name, module) => {
    expect(findModule(name)).toBe(module);
  });

  it.each([
    ["'use strict';\n// Flags: --expose-internals\n", "needs the native flag --expose-internals"],
    ["// Flags: --no-warnings --expose-gc=1\n", "needs the native flag --expose-gc"],
    ["// Flags: --no-warnings --require ./x.js\n", undefined],
    ["const tls = require('node:tls');\n", "needs tls"],
    ["import https from 'https';\n", "needs https"],
    ["common.skipIfInspectorDisabled();\n", "needs inspector"],
    ["const path = require('path');\n", undefined],
  ])("with %j is left out because it %s", (source, reason) => {
    expect(describeTestFile("test-net-x.js", "net", source).leftOut).toBe(reason);
  });

  it("says its flags and its environment", () => {
    const source = "// Flags: --no-warnings\n// Env: A=b=c D=\n";
    const { flags, env } = describeTestFile("test-net-x.js", "net", source);
    expect({ flags, env }).toEqual({ flags: ["--no-warnings"], env: { A: "b=c", D: "" } });
  });
});

describe("a run of a file", () => {
  const quiet = { exitCode: 0, stdout: "", stderr: "", timedOut: false, durationMs: 1 };

  it("passes with status 0", () => {
    expect(judge(quiet)).toEqual({ verdict: "passed", exitCode: 0, durationMs: 1 });
  });

  it("is skipped, not passed, when it says so", () => {
    const outcome = judge({ ...quiet, stdout: "1..0 # Skipped: no ipv6\n" });
    expect(outcome).toMatchObject({ verdict: "skipped", line: "no ipv6" });
  });

  it("fails with the line that tells most", () => {
    const stderr =
      "node:internal/x:1\n    throw e;\n    ^\n\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n\n    at x (y:1:1)\n";
    expect(judge({ ...quiet, exitCode: 1, stderr }).line).toBe(
      "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2",
    );
  });

  it("counts what skips itself only in a VM as failed", () => {
    const file = describeTestFile("test-fs-x.js", "fs", "");
    const host = judge(quiet);
    const vm = judge({ ...quiet, stdout: "1..0 # Skipped: nope\n" });
    const rows = countModules([{ file, host, vm }]);
    expect(rows).toMatchObject([{ module: "fs", files: 1, passed: 0, failed: 1, skipped: 0 }]);
  });
});

describe("the runner", () => {
  let checkout: string;

  beforeAll(() => {
    checkout = mkdtempSync(join(tmpdir(), "node-checkout-"));
    mkdirSync(join(checkout, "test/parallel"), { recursive: true });
    const files = {
      "test-path-a.js": "require('assert').strictEqual(require('path').join('a', 'b'), 'a/b');",
      "test-path-b.js": "throw new Error('always');",
      "test-path-c.js": "// Flags: --expose-internals\n",
      "test-path-d.js": "console.log('1..0 # Skipped: not today');",
    };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(checkout, "test/parallel", name), text);
    spawnSync("chmod", ["-R", "a+rX", checkout]);
  });
  afterAll(() => rmSync(checkout, { recursive: true, force: true }));

  it("leaves out what fails under the host's own Node, and keeps what it found", () => {
    const runner = join(import.meta.dirname, "run-node-tests.ts");
    const baseline = join(checkout, "baseline.json");
    const { stdout, status } = spawnSync(
      process.execPath,
      [runner, "--node", checkout, "--host-only", "--baseline", baseline],
      { encoding: "utf8" },
    );
    const reasons =
      "    1  fails under the host's own Node here\n    1  needs the native flag --expose-internals\n";
    expect([status, stdout]).toEqual([
      0,
      `\n| module | files | left out | skipped | passed | failed | rate |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| path | 4 | 2 | 1 | 0 | 0 | — |
| all | 4 | 2 | 1 | 0 | 0 | — |
\nLeft out:\n${reasons}`,
    ]);
    const { outcomes }: { outcomes: object } = JSON.parse(readFileSync(baseline, "utf8"));
    expect(outcomes).toMatchObject({ "test-path-b.js": { line: "Error: always" } });
  });

  it("prints nothing but headings where nothing was measured", () => {
    expect([countReasons([]), formatTable([]).split("\n").length]).toEqual([{}, 4]);
  });
});
