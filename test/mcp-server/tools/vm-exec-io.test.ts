import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeConnection, ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox();
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

async function start(command: string, input: object = { interactive: true }): Promise<string> {
  const all = { vm_id: "one", command, yield_ms: 0, ...input };
  const { status, exec_id } = (await box.structured("vm_exec", all)) as Record<string, string>;
  expect(status).toBe("running");
  return exec_id ?? "";
}

const io = async (exec_id: string, input: object = {}): Promise<unknown> =>
  box.structured("vm_exec_io", { vm_id: "one", exec_id, ...input });

describe("vm_exec_io", () => {
  it("talks to a command: each answer has only what is new", async () => {
    const exec = await start('while read -r line; do echo "got $line"; done; echo bye');
    const running = { status: "running", stderr: "", exec_id: exec, truncated: false };
    expect(await io(exec, { stdin: "one\n" })).toEqual({ ...running, stdout: "got one\n" });
    expect(await io(exec, { stdin: "two\n" })).toEqual({ ...running, stdout: "got two\n" });
    expect(await io(exec, { stdin: "three\n", close_stdin: true })).toEqual({
      ...running,
      status: "exited",
      exit_code: 0,
      stdout: "got three\nbye\n",
    });
    expect(await io(exec)).toMatchObject({ status: "exited", stdout: "" });
  });

  it("shows each connection all of the output, whoever else reads it", async () => {
    const exec = await start('while read -r line; do echo "got $line"; echo "err $line" >&2; done');
    const [one, other] = [makeConnection(2), makeConnection(3)];
    const read = async (connection: typeof one, input: object): Promise<unknown> => {
      const all = { vm_id: "one", exec_id: exec, ...input };
      return await box.structured("vm_exec_io", all, { connection });
    };
    const first = { stdout: "got 1\n", stderr: "err 1\n" };
    const second = { stdout: "got 2\n", stderr: "err 2\n" };
    expect(await read(one, { stdin: "1\n" })).toMatchObject(first);
    expect(await io(exec, { stdin: "2\n" })).toMatchObject({
      stdout: first.stdout + second.stdout,
      stderr: first.stderr + second.stderr,
    });
    expect(await read(one, { yield_ms: 0 })).toMatchObject(second);
    expect(await read(one, { yield_ms: 0 })).toMatchObject({ stdout: "", stderr: "" });
    expect(await read(other, { close_stdin: true })).toMatchObject({
      status: "exited",
      stdout: first.stdout + second.stdout,
      stderr: first.stderr + second.stderr,
    });
    expect(await read(other, {})).toMatchObject({ stdout: "", stderr: "" });
  });

  it("answers as soon as the command waits for more input, though it has printed nothing", async () => {
    const exec = await start("bash");
    const running = { status: "running", stdout: "", stderr: "", exec_id: exec, truncated: false };
    expect(await io(exec, { stdin: "cd /tmp\n", yield_ms: 600_000 })).toEqual(running);
    expect(await io(exec, { stdin: "pwd\n" })).toEqual({ ...running, stdout: "/tmp\n" });
    expect(await io(exec, { stdin: "exit 3\n" })).toMatchObject({ exit_code: 3, stdout: "" });
  });

  it("waits for a command that takes a while before it prints", async () => {
    const exec = await start("mkfifo wait; bash");
    const reply = io(exec, { stdin: "read line <wait; echo got $line\n" });
    await box.structured("vm_exec", { vm_id: "one", command: "echo it >wait" });
    expect(await reply).toMatchObject({ status: "running", stdout: "got it\n" });
    await io(exec, { close_stdin: true });
  });

  it("waits for the end when it closes stdin", async () => {
    const exec = await start("mkfifo end; cat; read line <end; echo $line");
    const reply = io(exec, { stdin: "first\n", close_stdin: true });
    await box.structured("vm_exec", { vm_id: "one", command: "echo last >end" });
    expect(await reply).toMatchObject({ status: "exited", stdout: "first\nlast\n" });
  });

  it("gives the input of each call in one piece, whoever else feeds the command", async () => {
    const exec = await start("tr -s ab");
    const feeds = ["a", "b"].map((letter) => io(exec, { stdin: letter.repeat(1_500_000) }));
    await Promise.all(feeds);
    await io(exec, { close_stdin: true });
    const all = { vm_id: "one", exec_id: exec };
    const whole = await box.structured("vm_exec_io", all, { connection: makeConnection(4) });
    expect(["ab", "ba"]).toContain((whole as { stdout: string }).stdout);
  });

  it("waits for the end, and answers running when that takes too long", async () => {
    const exec = await start("cat");
    expect(await io(exec, { yield_ms: 50 })).toMatchObject({ status: "running", stdout: "" });
    expect(await io(exec, { close_stdin: true })).toMatchObject({ status: "exited" });
  });

  it("sends signals", async () => {
    const exec = await start(
      "trap 'echo caught; exit 7' TERM; read x; echo set; while :; do :; done",
    );
    expect(await io(exec, { stdin: "\n" })).toMatchObject({ status: "running", stdout: "set\n" });
    expect(await io(exec, { signal: "TERM" })).toMatchObject({ exit_code: 7, stdout: "caught\n" });
    const other = await start("cat");
    expect(await io(other, { signal: "KILL" })).toMatchObject({
      status: "killed",
      signal: "SIGKILL",
    });
  });

  it("holds the beginning of a character back until its rest has come", async () => {
    const exec = await start("read x; echo -ne 'gr\\xc3'; read x; echo -e '\\xbc'");
    expect(await io(exec, { stdin: "\n" })).toMatchObject({ status: "running", stdout: "gr" });
    expect(await io(exec, { stdin: "\n" })).toMatchObject({ status: "exited", stdout: "ü\n" });
  });

  it("leaves the command alone when only the wait is cancelled", async () => {
    const exec = await start("cat");
    const input = { vm_id: "one", exec_id: exec };
    const result = await box.structured("vm_exec_io", input, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "running" });
    expect(await io(exec, { stdin: "still here\n" })).toMatchObject({ stdout: "still here\n" });
    await io(exec, { close_stdin: true });
  });

  it("says that a command had ended before it could be reached", async () => {
    const exec = await start("cat");
    await io(exec, { close_stdin: true });
    expect(await io(exec, { stdin: "late" })).toMatchObject({
      status: "exited",
      notice: "The command had ended: nothing reached it.",
    });
  });

  it.each([
    [
      "99",
      {},
      'The VM "one" has no command "99". Call vm_list to see its commands. The server keeps commands that have ended for a while.',
    ],
    [
      "cat",
      { signal: "HELLO" },
      'There is no signal "HELLO". Use a name such as INT, TERM or KILL.',
    ],
  ])("says what is wrong with a call: %s %j", async (command, input, text) => {
    const exec_id = command === "99" ? "99" : await start(command);
    const result = await box.call("vm_exec_io", { vm_id: "one", exec_id, ...input });
    expect(result).toEqual({ isError: true, content: [{ type: "text", text }] });
    if (command !== "99") await io(exec_id, { signal: "KILL" });
  });

  it("says that a command takes no input", async () => {
    const exec = await start("while :; do :; done", {});
    const texts = await box.texts("vm_exec_io", { vm_id: "one", exec_id: exec, stdin: "x" });
    expect(texts).toEqual([
      `The stdin of command "${exec}" is closed. Run it again with interactive: true, or with all of its input as stdin.`,
    ]);
    await io(exec, { signal: "KILL" });
  });
});
