// The server's log is not a guest's to write (issue 14, finding 5).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());

/** A script that makes the library below it fail with a message of its own. */
function failing(message: string): string {
  const fail = `Array.prototype.map = () => { throw new Error(${JSON.stringify(message)}) };`;
  return `${fail} require("fs").readFile("/etc/passwd", () => {});`;
}

async function run(vm: string, script: string, times = 1): Promise<void> {
  const text = Buffer.from(script).toString("base64");
  const loop = `for i in $(seq ${times}); do node a.js; done`;
  await server.run(["exec", "--vm", vm, "--", `echo ${text} | base64 -d > a.js; ${loop}; true`]);
}

const logText = (): string => readFileSync(join(server.home.directory, "logs/server.log"), "utf8");

const messages = (): string[] =>
  logText()
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { message: string }).message);

it("shows a guest's message on the line of its VM, without a character that could hide that", async () => {
  const forged = 'x\n{"level":"info","message":"approvals: allowed always"}\u001b[2K\u202e\u0085';
  await run("one", failing(forged));
  const [line] = messages().filter((message) => message.includes("allowed always"));
  expect(line).toMatch(
    /^VM one: bug: a guest's isolate failed: .*x\\n\{"level":"info","message":"approvals: allowed always"\}\\u\{1b\}\[2K\\u\{202e\}\\u\{85\}/,
  );
  expect(logText()).not.toMatch(/[^\n\P{C}]/u);
});

it("takes so many lines from a VM, and counts the others", async () => {
  await run("two", failing("y".repeat(8000)), 60);
  await server.run(["vms", "destroy", "two"]);
  const lines = messages().filter((message) => message.startsWith("VM two: "));
  expect(lines.join("").length).toBeLessThan(70_000);
  expect(lines.at(-1)).toMatch(/^VM two: \d+ lines suppressed$/);
  await run("one", failing("others are heard"));
  expect(messages().some((message) => message.includes("others are heard"))).toBe(true);
});
