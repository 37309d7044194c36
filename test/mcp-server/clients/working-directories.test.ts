import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LastDirectories } from "../../../src/mcp-server/clients/working-directories.ts";
import { makeConnection, ToolBox } from "../tools/tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox();
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

const last = new LastDirectories();
let connections = 0;
const connect = (): ReturnType<typeof makeConnection> => makeConnection(++connections, last);
let connection = connect();

const call = (tool: string, input: object): Promise<unknown> =>
  box.structured(tool, { vm_id: "one", ...input }, { connection });
const run = (command: string, input = {}): Promise<unknown> =>
  call("vm_exec", { command, ...input });
const pwd = async (): Promise<string> => ((await run("pwd")) as { stdout: string }).stdout;

const done = {
  status: "exited",
  exit_code: 0,
  stdout: "",
  stderr: "",
  exec_id: expect.any(String),
  truncated: false,
};

describe("a command", () => {
  it("starts where the last one ended, and the answer says when that has changed", async () => {
    expect(await run("mkdir -p a/b; cd a; cd b")).toEqual({ ...done, cwd: "/home/user/a/b" });
    expect(await run("pwd; echo $OLDPWD")).toEqual({ ...done, stdout: "/home/user/a/b\n\n" });
    expect(await box.texts("vm_exec", { vm_id: "one", command: "cd .." }, { connection })).toEqual([
      "[now in /home/user/a]\n[exit code 0]",
    ]);
    expect(await run("X=1; cd; exit 3")).toEqual({ ...done, exit_code: 3, cwd: "/home/user" });
    expect(await run('echo "$PWD [$X]"')).toEqual({ ...done, stdout: "/home/user []\n" });
  });

  it("starts in cwd where that is given, and the next one stays there", async () => {
    expect(await run("pwd", { cwd: "/usr/../tmp" })).toEqual({
      ...done,
      stdout: "/tmp\n",
      cwd: "/tmp",
    });
    expect(await pwd()).toBe("/tmp\n");
    await run("cd", { cwd: "/" });
    expect(await pwd()).toBe("/home/user\n");
    expect(await run("(cd /etc); cd /tmp & wait")).toEqual(done);
  });

  it("starts at home where its directory is gone, and says so", async () => {
    await run("mkdir gone; cd gone; rmdir ../gone");
    expect(await run("pwd")).toEqual({
      ...done,
      stdout: "/home/user\n",
      cwd: "/home/user",
      notice: "/home/user/gone cannot be entered any more; the command started in /home/user.",
    });
    await run("cd /root", { as_root: true });
    expect(await run("pwd")).toMatchObject({
      stdout: "/home/user\n",
      notice: "/root cannot be entered any more; the command started in /home/user.",
    });
    expect(await box.texts("vm_exec", { vm_id: "one", command: "pwd", cwd: "gone" })).toEqual([
      expect.stringContaining("/home/user/gone: No such file or directory"),
    ]);
  });

  it("moves nothing when it ends while another call of its client runs", async () => {
    await run("mkfifo go");
    const slow = run("cd /etc; cat ~/go > /dev/null");
    expect(await run("cd /tmp")).toEqual(done);
    expect(await run("pwd")).toEqual({ ...done, stdout: "/home/user\n" });
    await box.vms.get("one").exec("echo > ~/go");
    expect(await slow).toEqual({ ...done, cwd: "/etc" });
    expect(await pwd()).toBe("/etc\n");
    await run("cd");
  });

  it("moves the directory when a later call sees its end, unless another was started since", async () => {
    const start = async (): Promise<string> => {
      const input = { interactive: true, yield_ms: 0 };
      return ((await run("read x; cd /tmp", input)) as { exec_id: string }).exec_id;
    };
    const older = await start();
    const newer = await start();
    expect(await call("vm_exec_io", { exec_id: older, stdin: "\n", close_stdin: true })).toEqual(
      done,
    );
    expect(await call("vm_exec_io", { exec_id: newer, stdin: "\n", close_stdin: true })).toEqual({
      ...done,
      cwd: "/tmp",
    });
    expect(await pwd()).toBe("/tmp\n");
  });
});

describe("a connection", () => {
  it("begins where its client was last, and is not moved by another of the same client", async () => {
    await run("cd /usr");
    const before = connection;
    connection = connect();
    expect(await run("pwd")).toEqual({ ...done, stdout: "/usr\n", cwd: "/usr" });
    await run("cd /etc");
    connection = before;
    expect(await pwd()).toBe("/usr\n");
  });
});
