import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox();
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

const run = async (command: string, input: object = {}): Promise<unknown> =>
  box.structured("vm_exec", { vm_id: "one", command, ...input });

const done = { status: "exited", exit_code: 0, stdout: "", stderr: "", truncated: false };

describe("vm_exec", () => {
  it("answers status and output of a command", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toEqual({
      ...done,
      exit_code: 3,
      stdout: "out\n",
      stderr: "err\n",
      exec_id: expect.stringMatching(/^\d+$/),
    });
  });

  it("shows text to clients that want text", async () => {
    const texts = (command: string): Promise<string[]> =>
      box.texts("vm_exec", { vm_id: "one", command });
    expect(await texts("echo hi")).toEqual(["hi\n"]);
    expect(await texts("true")).toEqual(["[exit code 0]"]);
    expect(await texts("echo -n out; echo err >&2; exit 2")).toEqual([
      "out\n[stderr]\nerr\n[exit code 2]",
    ]);
    expect(await texts("kill -KILL $$")).toEqual(["[killed by SIGKILL]"]);
  });

  it("gives no input unless there is some", async () => {
    expect(await run("cat; echo end")).toMatchObject({ stdout: "end\n" });
    expect(await run("cat", { stdin: "grüße\0\n" })).toMatchObject({ stdout: "grüße\0\n" });
  });

  it("has the input there before the command looks, in a pipe that is the user's", async () => {
    const command = "read -t 0 && echo there; stat -Lc '%F %U' /dev/stdin; cat";
    for (const cwd of ["/tmp", undefined]) {
      expect(await run(command, { stdin: "line\n", cwd })).toMatchObject({
        stdout: "there\nfifo user\nline\n",
      });
    }
  });

  it("does not mind a command that leaves its input alone", async () => {
    const stdin = "x".repeat(3_000_000);
    expect(await run("echo done", { stdin })).toMatchObject({ status: "exited", stdout: "done\n" });
  });

  it("takes directory, variables and user", async () => {
    const input = { cwd: "/tmp", env: { GREETING: "hello" }, as_root: true };
    expect(await run('echo "$PWD $GREETING $UID"', input)).toMatchObject({
      stdout: "/tmp hello 0\n",
    });
    expect(await run('echo "$PWD $GREETING $UID"; cd')).toMatchObject({ stdout: "/tmp  1000\n" });
  });

  it("says which signal ended a command", async () => {
    expect(await run("kill -TERM $$")).toMatchObject({
      status: "killed",
      exit_code: 143,
      signal: "SIGTERM",
    });
  });

  it("ends a command at its timeout", async () => {
    expect(await run("echo begun; while :; do :; done", { timeout_ms: 100 })).toMatchObject({
      status: "timed_out",
      stdout: "begun\n",
    });
  });

  it("answers running when it has to wait longer than it should", async () => {
    const input = { interactive: true, yield_ms: 0 };
    const texts = await box.texts("vm_exec", { vm_id: "one", command: "cat", ...input });
    expect(texts).toEqual([
      expect.stringMatching(/^\[running; continue with vm_exec_io, exec_id \d+\]$/),
    ]);
  });

  it("shows head and tail of long output, and where all of it is", async () => {
    const command = "i=0; while [ $i -lt 9000 ]; do echo line $i; i=$((i+1)); done";
    const result = await run(command, { max_output_bytes: 75 });
    const { exec_id } = result as { exec_id: string };
    const log = `vm://one/exec/${exec_id}/stdout`;
    expect(result).toEqual({
      ...done,
      stdout: `line 0\nline 1\nline 2\nline 3\nline 4\n[… 88825 bytes omitted; whole log: ${log} …]\nline 8997\nline 8998\nline 8999\n`,
      exec_id,
      truncated: true,
      log_uri: log,
    });
    const from = { vm_id: "one", path: log, offset: 4567, limit: 1 };
    expect((await box.texts("fs_read", from))[0]).toBe("line 4566\n");
  });

  it("shares its limit between both streams", async () => {
    const loop = (end: string, to: string): string =>
      `i=0; while [ $i -lt ${end} ]; do echo $i ${to}; i=$((i+1)); done`;
    const result = (await run(`echo short; ${loop("1000", ">&2")}`, {
      max_output_bytes: 75,
    })) as { stdout: string; stderr: string; exec_id: string };
    expect(result).toMatchObject({
      stdout: "short\n",
      truncated: true,
      log_uri: `vm://one/exec/${result.exec_id}/stderr`,
    });
    expect(result.stderr).toMatch(/^0\n1\n[^]*\[… \d+ bytes omitted; [^]*\n998\n999\n$/);
  });

  it("shows bytes that are no text, and says so", async () => {
    const result = await run("echo -e 'a\\xffb'");
    const { exec_id } = result as { exec_id: string };
    const log_uri = `vm://one/exec/${exec_id}/stdout`;
    expect(result).toEqual({ ...done, stdout: "a\uFFFDb\n", exec_id, binary: true, log_uri });
    const input = { vm_id: "one", path: log_uri, encoding: "base64" };
    expect(await box.texts("fs_read", input)).toEqual([
      Buffer.from("a\xffb\n", "latin1").toString("base64"),
    ]);
  });

  it("tells what the command says while it runs", async () => {
    const said: string[] = [];
    await box.call(
      "vm_exec",
      { vm_id: "one", command: "echo first; echo; echo last" },
      { progress: (message) => said.push(message) },
    );
    expect(said.at(-1)).toBe("last");
  });

  it("ends a command whose call is cancelled", async () => {
    const abort = new AbortController();
    const input = {
      vm_id: "one",
      command: "trap 'echo interrupted; exit 1' INT; echo ready; while :; do :; done",
    };
    const result = await box.structured("vm_exec", input, {
      signal: abort.signal,
      progress: () => abort.abort(),
    });
    expect(result).toMatchObject({
      status: "exited",
      exit_code: 1,
      stdout: "ready\ninterrupted\n",
    });
  });

  const jobs = "sleep 50 & (sleep 51; true) & (trap '' INT TERM; sleep 52) & echo ready;";
  const processes = async (): Promise<unknown> =>
    (await box.vms.get("one").processes()).filter(({ command }) => command.startsWith("sleep"));

  it.each([
    ["a command", "sleep 40"],
    ["a command that has an end of its own", "trap 'exit 1' INT; sleep 40"],
  ])("ends %s with all it has started when its call is cancelled", async (_what, last) => {
    const abort = new AbortController();
    const input = { vm_id: "one", command: `${jobs} ${last}` };
    const options = { signal: abort.signal, progress: () => abort.abort() };
    await box.structured("vm_exec", input, options);
    expect(await processes()).toEqual([]);
  });

  it("ends a command with all it has started at its timeout, and by a signal", async () => {
    await run(`${jobs} sleep 40`, { timeout_ms: 50 });
    // What ignores SIGTERM is killed a moment later.
    await expect.poll(processes, { timeout: 20_000 }).toEqual([]);
    const { exec_id } = (await run(`${jobs} sleep 40`, { yield_ms: 0 })) as { exec_id: string };
    await box.structured("vm_exec_io", { vm_id: "one", exec_id, signal: "KILL" });
    expect(await processes()).toEqual([]);
  });

  it("leaves what an ended command has in the background", async () => {
    await run("sleep 53 > /dev/null 2>&1 &");
    expect(await processes()).toHaveLength(1);
    await run("pkill sleep");
  });

  it("ends a command that does not mind being interrupted", async () => {
    const abort = new AbortController();
    const input = { vm_id: "one", command: "trap '' INT; echo ready; while :; do :; done" };
    const result = await box.structured("vm_exec", input, {
      signal: abort.signal,
      progress: () => abort.abort(),
    });
    expect(result).toMatchObject({ status: "killed", signal: "SIGTERM" });
  });

  it.each([
    [
      { vm_id: "nobody", command: "true" },
      'There is no VM named "nobody". Call vm_list to see the VMs, or vm_create to make one.',
    ],
    [
      { vm_id: "one", command: "x".repeat(1_000_001) },
      "The command has 1000001 bytes; the limit is 1000000. Write it to a file with fs_write and run the file.",
    ],
    [
      { vm_id: "one", command: "true", cwd: "/nowhere" },
      "ENOENT: /nowhere: No such file or directory",
    ],
    [
      { vm_id: "one", command: "true", cwd: "a\0b" },
      '"a\\u0000b" is not a valid path: it holds a NUL byte. Use an absolute path, or one relative to /home/user.',
    ],
    [
      { vm_id: "one", command: "true", env: { "": "x" } },
      'The environment variables are not valid: "" cannot be a variable. Correct env and call again.',
    ],
  ])("says what is wrong with a call, case %#", async (input, text) => {
    const result = await box.call("vm_exec", input);
    expect(result).toEqual({ isError: true, content: [{ type: "text", text }] });
  });

  it("runs a command of a megabyte", async () => {
    expect(await run(`: ${"x".repeat(999_900)}; echo long`)).toMatchObject({ stdout: "long\n" });
  });
});
