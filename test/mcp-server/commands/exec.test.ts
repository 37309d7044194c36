import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";

let server: InstalledServer;
beforeAll(async () => {
  server = InstalledServer.install();
  expect(await exec("true")).toEqual({
    status: 0,
    stdout: "",
    stderr: 'agentos-mcp: Created the VM "default".\n',
  });
});
afterAll(() => server.remove());

interface Output {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function exec(command: string, options: string[] = [], input = ""): Promise<Output> {
  const output = await server.run(["exec", ...options, "--", command], Buffer.from(input));
  return { ...output, stdout: output.stdout.toString() };
}

/** A command that runs while the test acts; what it has said so far. */
function start(command: string): { child: ReturnType<typeof spawn>; said: () => string } {
  const { command: node, args, cwd, env } = server.command;
  const child = spawn(node, [...args, "exec", "--", command], { cwd, env });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, said: () => text };
}

describe("agentos-mcp exec", () => {
  it("runs a command as if it ran here: input, output and status", async () => {
    const command = "cat; echo error >&2; exit 3";
    expect(await exec(command, [], "input\n")).toEqual({
      status: 3,
      stdout: "input\n",
      stderr: "error\n",
    });
  });

  it("makes Node say nothing in the server's log about features that we use", () => {
    expect(server.home.log()).not.toContain("Warning");
  });

  it("takes a command of several words", async () => {
    const output = await server.run(["exec", "--", "echo", "a", "b"]);
    expect(output).toEqual({ status: 0, stdout: Buffer.from("a b\n"), stderr: "" });
  });

  it("takes directory, variables and user", async () => {
    const options = ["--cwd", "/tmp", "--env", "A=1", "--env=B=x=y", "--root"];
    expect(await exec('echo "$PWD $A $B $UID"', options)).toMatchObject({
      stdout: "/tmp 1 x=y 0\n",
    });
  });

  it("keeps the order of output and errors", async () => {
    const { command, args, cwd, env } = server.command;
    const loop = "for i in 1 2 3; do echo o$i; echo e$i >&2; done";
    const line = `'${command}' '${args[0]}' exec -- '${loop}' 2>&1`;
    const shell = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const chunks: Buffer[] = [];
    shell.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(shell, "close");
    expect(Buffer.concat(chunks).toString()).toBe("o1\ne1\no2\ne2\no3\ne3\n");
  });

  it("says that its output cannot be written", async () => {
    const { command, args, cwd, env } = server.command;
    const line = `'${command}' '${args[0]}' exec -- 'echo lost' >/dev/full`;
    const shell = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    const chunks: Buffer[] = [];
    shell.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    const [status] = (await once(shell, "close")) as [number | null];
    expect({ status, stderr: Buffer.concat(chunks).toString() }).toEqual({
      status: 1,
      stderr:
        "agentos-mcp: The output could not be written: ENOSPC: no space left on device, write\n",
    });
  });

  it("starts in a directory given by a detour, and says where that is", async () => {
    expect(await exec("echo $PWD; pwd", ["--cwd", "/home/user/.."])).toMatchObject({
      stdout: "/home\n/home\n",
    });
  });

  it("answers 128 and the number of the signal that ended the command", async () => {
    expect(await exec("kill -KILL $$")).toMatchObject({ status: 137 });
  });

  it("ends a command at its timeout", async () => {
    expect(await exec("echo begun; sleep 60", ["--timeout", "200"])).toEqual({
      status: 124,
      stdout: "begun\n",
      stderr: "agentos-mcp: The command was ended by its timeout.\n",
    });
  });

  it("carries megabytes through a pipe, byte for byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_001 }, (_, at) => (at * 7) % 256));
    const output = await server.run(["exec", "--", "cat | cat"], bytes);
    expect(output.stdout.equals(bytes)).toBe(true);
  });

  it("carries 100 MB both ways, byte for byte", async () => {
    const bytes = Buffer.alloc(100_000_000);
    for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(at, at);
    const output = await server.run(["exec", "--", "cat"], bytes);
    expect({ ...output, stdout: output.stdout.equals(bytes) }).toEqual({
      status: 0,
      stdout: true,
      stderr: "",
    });
  });

  it("holds a command back whose output nobody reads, and then gives all of it", async () => {
    const { command, args, cwd, env } = server.command;
    const line = "for i in {1..200}; do echo $i > written; head -c 1000000 /dev/zero; done";
    const child = spawn(command, [...args, "exec", "--", line], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const written = async (): Promise<number> => Number((await exec("cat written")).stdout);
    await eventually("it writes", async () => (await written()) > 0);
    // What is under way fits the windows and pipes between: a few megabytes.
    let last = await written();
    for (let next = await written(); next > last; next = await written()) last = next;
    expect(last).toBeLessThan(20);
    expect(await running()).toBe(1);
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(bytes).toBe(200_000_000);
    expect(await written()).toBe(200);
  });

  it("keeps to one VM, or to the one it is told", async () => {
    await exec("echo kept > note");
    expect(await exec("cat note")).toMatchObject({ stdout: "kept\n" });
    expect(await exec("ls", ["--vm", "other"])).toEqual({
      status: 0,
      stdout: "",
      stderr: 'agentos-mcp: Created the VM "other".\n',
    });
  });

  it("ends with whoever reads its output, and so does the command", async () => {
    const { command, args, cwd, env } = server.command;
    const line = `'${command}' '${args[0]}' exec -- yes | head -n 2`;
    const shell = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const chunks: Buffer[] = [];
    shell.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(shell, "close");
    expect(Buffer.concat(chunks).toString()).toBe("y\ny\n");
    await eventually("the command has ended", async () => (await running()) === 0);
  });

  it("passes SIGINT on, and ends the command with the second", async () => {
    const { child, said } = start("trap 'echo interrupted' INT; echo begun; while :; do :; done");
    await eventually("it has begun", () => said() === "begun\n");
    child.kill("SIGINT");
    await eventually("it is interrupted", () => said() === "begun\ninterrupted\n");
    child.kill("SIGINT");
    const [status] = (await once(child, "close")) as [number | null];
    expect(status).toBe(143);
    expect(await running()).toBe(0);
  });

  it("takes its command along when it is killed", async () => {
    const { child, said } = start("echo begun; while :; do :; done");
    await eventually("it has begun", () => said() === "begun\n");
    child.kill("SIGKILL");
    await eventually("the command has ended", async () => (await running()) === 0);
  });

  it("does not take the input of a killed caller for all of it", async () => {
    const { child, said } = start("echo begun; cat > got; echo all > end");
    await eventually("it has begun", () => said() === "begun\n");
    child.stdin?.write(Buffer.alloc(1_000_000));
    await eventually("it reads", async () => (await exec("wc -c < got")).stdout === "1000000\n");
    child.kill("SIGKILL");
    await eventually("the command has ended", async () => (await running()) === 0);
    expect(await exec("cat end")).toEqual({
      status: 1,
      stdout: "",
      stderr: "cat: end: No such file or directory\n",
    });
  });

  it.each([
    [["exec"], 2, "Give a command: agentos-mcp exec -- 'ls -l'"],
    [["exec", "--env", "A", "--", "true"], 2, '"A" is no variable: give --env NAME=VALUE.'],
    [["exec", "--env", "__proto__=x", "--", "true"], 2, 'No variable can be named "__proto__".'],
    [
      ["exec", "--timeout", "soon", "--", "true"],
      2,
      '"soon" is no number of milliseconds (--timeout).',
    ],
    [["exec", "--vn", "x", "--", "true"], 2, "Unknown option --vn. Did you mean --vm?"],
    [
      ["exec", "--vm", "No Name", "--", "true"],
      125,
      '"No Name" is not a valid VM name. Use 1 to 63 lower-case letters, digits and hyphens, starting with a letter or digit.',
    ],
    [
      ["exec", "--cwd", "/nowhere", "--", "true"],
      125,
      "ENOENT: /nowhere: No such file or directory",
    ],
  ])("says what is wrong: %j", async (args, status, words) => {
    expect(await server.run(args)).toEqual({
      status,
      stdout: Buffer.alloc(0),
      stderr: `agentos-mcp: ${words}\n`,
    });
  });
});

async function running(): Promise<number> {
  const { stdout } = await server.run(["vms", "--json"]);
  const all = JSON.parse(stdout.toString()) as { name: string; runningCommands: number }[];
  return all.find(({ name }) => name === "default")?.runningCommands ?? -1;
}
