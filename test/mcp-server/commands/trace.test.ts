import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";

let server: InstalledServer;
beforeAll(async () => {
  server = InstalledServer.install();
  await server.run(["exec", "--vm", "work", "--", "true"]);
});
afterAll(() => server.remove());

/** `agentos-mcp trace` as it runs. */
function start(...words: readonly string[]) {
  const { command, args, cwd, env } = server.command;
  const child = spawn(command, [args[0] ?? "", "trace", ...words], { cwd, env });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  return { child, said, ended: once(child, "close") };
}

describe("agentos-mcp trace", () => {
  it("shows what guests call as it happens, and ends with Ctrl-C", async () => {
    const { child, said, ended } = start("work", "--calls", "open,spawn,wait");
    await eventually("it traces", () => said.stderr.includes("Tracing"));
    await server.run(["exec", "--vm", "work", "--", "cat nope; (exit 3); true"]);
    await eventually("all is shown", () => said.stdout.includes("exited with 0"));
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    expect(said.stderr).toBe('agentos-mcp: Tracing the VM "work"; Ctrl-C ends it.\n');
    const lines = said.stdout.replaceAll(/^[\d:.]{12} +/gm, "").replaceAll(/ +=/g, " =");
    expect(lines).toBe(
      `3 bash       spawn("/usr/bin/cat", ["cat", "nope"], /* 9 vars */) = 4
    4 cat        open("nope", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)
    4 cat        +++ exited with 1 +++
    3 bash       wait(4, [{WIFEXITED(s) && WEXITSTATUS(s) == 1}], 0) = 4
    5 bash       +++ exited with 3 +++
    3 bash       wait(5, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0) = 5
    3 bash       +++ exited with 0 +++
`.replaceAll(/^ +/gm, ""),
    );
  });

  it("ends with its VM, and prints JSON", async () => {
    await server.run(["exec", "--vm", "other", "--", "true"]);
    const { said, ended } = start("other", "--json", "--calls", "open");
    await eventually("it traces", () => said.stderr.includes("Tracing"));
    await server.run(["exec", "--vm", "other", "--", "cat nope"]);
    await eventually("all is shown", () => said.stdout.includes('"end"'));
    await server.run(["vms", "destroy", "other"]);
    expect(await ended).toEqual([0, null]);
    const [first] = said.stdout.split("\n");
    expect(JSON.parse(first ?? "")).toEqual({
      kind: "call",
      atMs: expect.any(Number),
      pid: 3,
      program: "cat",
      call: "open",
      args: ['"nope"', "O_RDONLY|O_CLOEXEC"],
      result: "-1 ENOENT (No such file or directory)",
      errno: "ENOENT",
      durationMs: expect.any(Number),
    });
  });

  it("says what it cannot trace", async () => {
    const refusal = async (...words: readonly string[]): Promise<unknown> => {
      const { status, stderr } = await server.run(["trace", ...words]);
      return [status, stderr];
    };
    expect(await refusal("nope")).toEqual([
      1,
      'agentos-mcp: There is no VM named "nope". agentos-mcp vms lists them.\n',
    ]);
    expect(await refusal("work", "--calls", "opn")).toEqual([
      1,
      'agentos-mcp: There is no system call "opn". Use a name from docs/syscalls.md, such as open, read, spawn or wait.\n',
    ]);
    expect(await refusal("work", "--pid", "7777")).toEqual([
      1,
      "agentos-mcp: ESRCH: 7777: No such process\n",
    ]);
    expect((await refusal("work", "--pid", "x")) as unknown).toEqual([
      2,
      'agentos-mcp: --pid takes the number of a process, not "x".\n',
    ]);
    expect((await server.run(["trace"])).status).toBe(2);
  });
});
