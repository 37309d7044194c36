import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";
import { eventually } from "../support/eventually.ts";

let vms: Vms;
let vm: Vm;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ name: "tested" });
});

afterAll(async () => {
  await vms.close();
});

describe("exec", () => {
  it("has a command's input there before the command looks", async () => {
    const { stdout } = await vm.exec("read -t 0 && echo there; cat", { stdin: "line\n" });
    expect(stdout).toBe("there\nline\n");
  });

  it("answers with output, errors and status", async () => {
    const { stdout, stderr, exitCode, truncated, timedOut } = await vm.exec(
      "echo out; echo err >&2; exit 3",
    );
    expect({ stdout, stderr, exitCode, truncated, timedOut }).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      exitCode: 3,
      truncated: false,
      timedOut: false,
    });
  });

  it("names the signal that ended a command", async () => {
    const { exitCode, signal } = await vm.exec("kill -KILL $$");
    expect({ exitCode, signal }).toEqual({ exitCode: 137, signal: "SIGKILL" });
  });

  it("gives binary input and returns the same bytes", async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) & 0xff);
    const { stdoutBytes } = await vm.exec("cat", { stdin: bytes });
    expect(Buffer.compare(stdoutBytes, bytes)).toBe(0);
  });

  it("takes input piece by piece from an iterable", async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (const word of ["a", "b", "c"]) yield new TextEncoder().encode(`${word}\n`);
    }
    expect((await vm.exec("cat", { stdin: pieces() })).stdout).toBe("a\nb\nc\n");
  });

  it("does not wait for a command that leaves its input unread", async () => {
    const { exitCode } = await vm.exec("true", { stdin: new Uint8Array(5_000_000) });
    expect(exitCode).toBe(0);
  });

  it("reads end of file when no input is given", async () => {
    expect((await vm.exec("cat")).stdout).toBe("");
  });

  it("acts as the user in its home, or as root where asked", async () => {
    const script = "pwd; echo $HOME $USER; head -n 7 /proc/self/status | tail -n 1";
    expect((await vm.exec(script)).stdout).toBe(
      "/home/user\n/home/user user\nUid:\t1000\t1000\t1000\t1000\n",
    );
    const asRoot = await vm.exec("echo $HOME $USER; echo x > /etc/mine; cat /etc/mine", {
      as: "root",
    });
    expect(asRoot.stdout).toBe("/root root\nx\n");
    const denied = await vm.exec("echo y > /etc/mine");
    expect(denied.stderr).toBe("bash: line 1: /etc/mine: Permission denied\n");
  });

  it("takes working directory and variables", async () => {
    const { stdout } = await vm.exec("pwd; echo $A", { cwd: "/tmp", env: { A: "b c" } });
    expect(stdout).toBe("/tmp\nb c\n");
  });

  it("fails clearly for a working directory that is none", async () => {
    await expect(vm.exec("pwd", { cwd: "/nowhere" })).rejects.toThrow(/ENOENT.*\/nowhere/);
  });

  it("ends a command that takes too long, and what it started", async () => {
    const result = await vm.exec("sleep 1000 & sleep 1000", { timeoutMs: 200 });
    expect(result.timedOut).toBe(true);
    const commands = (await vm.processes()).map(({ command }) => command);
    expect(commands.filter((command) => command.includes("sleep 1000"))).toEqual([]);
  });

  it("ends a command that ignores SIGTERM", async () => {
    const result = await vm.exec("trap '' TERM; while :; do :; done", { timeoutMs: 100 });
    expect(result.timedOut).toBe(true);
  });

  it("ends what a command has left that ignores SIGTERM, too", async () => {
    await vm.exec('(trap "" TERM INT; sleep 977) & (trap "" TERM INT; sleep 978)', {
      timeoutMs: 100,
    });
    await expect
      .poll(async () => (await vm.processes()).filter(({ command }) => /sleep 97/.test(command)), {
        timeout: 10_000,
      })
      .toEqual([]);
  });

  it("ends a command when it is aborted", async () => {
    const abort = new AbortController();
    const running = vm.exec("echo go; sleep 1000", {
      signal: abort.signal,
      onStdout: () => abort.abort(),
    });
    expect((await running).signal).toBe("SIGTERM");
  });

  it("keeps head and tail of more output than asked for", async () => {
    const { stdout, truncated } = await vm.exec(
      "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done",
      { maxOutputBytes: 1000 },
    );
    expect(truncated).toBe(true);
    expect(stdout.length).toBe(1000);
    expect(stdout.startsWith("line 0\nline 1\n")).toBe(true);
    expect(stdout.endsWith("line 2998\nline 2999\n")).toBe(true);
  });

  it("refuses a command that is longer than a message", async () => {
    await expect(vm.exec(`: ${"x".repeat(1_100_000)}`)).rejects.toMatchObject({
      code: "COMMAND_TOO_LONG",
    });
    const long = `echo ${"y".repeat(900_000)} | wc -c`;
    expect((await vm.exec(long)).stdout.trim()).toBe("900001");
  });
});

describe("spawn", () => {
  it("runs an argv without a shell", async () => {
    const exec = await vm.spawn(["echo", "a  b", "$HOME"]);
    await exec.wait();
    expect(new TextDecoder().decode(await exec.stdout.read(0, 100))).toBe("a  b $HOME\n");
    expect(exec.status()).toEqual({ state: "exited", exitCode: 0 });
  });

  it("says when there is no such command", async () => {
    await expect(vm.spawn(["no-such-thing"])).rejects.toThrow(/ENOENT.*no-such-thing/);
  });

  it("talks with a command while it runs", async () => {
    const exec = await vm.spawn("while read line; do echo got $line; done; echo end");
    const seen: string[] = [];
    exec.onOutput((_, bytes) => {
      seen.push(new TextDecoder().decode(bytes));
    });
    await exec.write(new TextEncoder().encode("one\n"));
    await exec.closeStdin();
    expect(await exec.wait()).toBe(true);
    expect(seen.join("")).toBe("got one\nend\n");
    await expect(exec.write(new Uint8Array(1))).rejects.toMatchObject({ code: "EXEC_ENDED" });
  });

  it("tells when a command has read its input and looks for more", async () => {
    const forever = new AbortController().signal;
    const exec = await vm.spawn("mkfifo busy; while read -r word; do read line <busy; done");
    await exec.waitForDemand(forever);
    await exec.write(new TextEncoder().encode("a\n"));
    const demanded = exec.waitForDemand(forever);
    await vm.exec("echo go >busy");
    await demanded;
    await exec.write(new TextEncoder().encode("b\n"));
    await exec.waitForDemand(AbortSignal.abort());
    await exec.closeStdin();
    await exec.waitForDemand(forever);
    await exec.stop();
  });

  it("keeps a command that ends after many others, and its log", async () => {
    const long = await vm.spawn("cat; i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done");
    for (let i = 0; i < 80; i++) await vm.exec("true");
    await long.closeStdin();
    await long.wait();
    const kept = vm.getExec(long.id);
    expect(kept.status()).toEqual({ state: "exited", exitCode: 0 });
    const end = await kept.stdout.read(kept.stdout.totalBytes - 12, 12);
    expect(new TextDecoder().decode(end)).toBe("19998\n19999\n");
  });

  it("lets what a forgotten command left running write on", async () => {
    const other = await vms.create();
    await other.exec(
      "(i=0; while [ $i -lt 400 ]; do head -c 10000 /dev/zero; i=$((i+1)); echo $i > /tmp/count; done) &",
    );
    for (let i = 0; i < 300; i++) await other.exec("true");
    await expect
      .poll(async () => (await other.exec("cat /tmp/count")).stdout, { timeout: 20_000 })
      .toBe("400\n");
    await other.destroy();
  });

  it("gives a terminal with a size, echo and Ctrl-C", async () => {
    const exec = await vm.spawn("read x; echo got $x; sleep 1000; echo never", {
      pty: { cols: 100, rows: 30 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    let shown = "";
    exec.onOutput((_, bytes) => {
      shown += new TextDecoder().decode(bytes);
      if (shown.includes("got hello\r\n")) resolve();
    });
    await exec.write(new TextEncoder().encode("hello\n"));
    await promise;
    await exec.write(Uint8Array.of(3));
    await exec.wait();
    expect(exec.status()).toEqual({ state: "killed", exitCode: 130, signal: "SIGINT" });
    expect(shown).toBe("hello\r\ngot hello\r\n^C");
  });

  it("lets commands beyond the limit wait until others have ended", async () => {
    const crowded = await vms.create();
    const execs = await Promise.all(Array.from({ length: 64 }, () => crowded.spawn("cat")));
    const turns = ["a", "b", "c"].map((word) => crowded.spawn(["echo", word]));
    await execs[0]?.closeStdin();
    for (const turn of turns) expect(await (await turn).wait()).toBe(true);
    await crowded.destroy();
  });
});

describe("files", () => {
  it("writes and reads files of any size", async () => {
    const bytes = Uint8Array.from({ length: 20_000_000 }, (_, i) => (i * 13 + (i >> 10)) & 0xff);
    await vm.files.write("/workspace/deep/er/big", bytes, { createParents: true });
    expect((await vm.files.stat("/workspace/deep/er/big")).size).toBe(bytes.length);
    expect(Buffer.compare(await vm.files.read("/workspace/deep/er/big"), bytes)).toBe(0);
    expect(await vm.files.read("/workspace/deep/er/big", { offset: 5, length: 3 })).toEqual(
      Buffer.from(bytes.subarray(5, 8)),
    );
    await vm.files.remove("/workspace/deep", { recursive: true });
    await expect(vm.files.stat("/workspace/deep")).rejects.toMatchObject({ errno: "ENOENT" });
  });

  it("appends, renames and lists", async () => {
    await vm.files.write("/tmp/a", "one\n");
    await vm.files.write("/tmp/a", "two\n", { append: true });
    await vm.files.rename("/tmp/a", "/tmp/b");
    expect(String(await vm.files.read("/tmp/b"))).toBe("one\ntwo\n");
    const names = (await vm.files.list("/tmp")).map(({ name }) => name);
    expect(names).toContain("b");
    expect(names).not.toContain("a");
  });

  it("lists more entries than fit one message", async () => {
    await vm.exec("mkdir many; cd many; i=0; while [ $i -lt 1200 ]; do : > f$i; i=$((i+1)); done");
    expect((await vm.files.list("/home/user/many")).length).toBe(1200);
  });

  it("says what is wrong with a path", async () => {
    await expect(vm.files.read("/none")).rejects.toMatchObject({
      errno: "ENOENT",
      subject: "/none",
    });
    await expect(vm.files.read("/tmp")).rejects.toMatchObject({ errno: "EISDIR" });
    await expect(vm.files.read("/a\0b")).rejects.toMatchObject({ errno: "EINVAL" });
    await expect(vm.files.read(`/${"x".repeat(256)}`)).rejects.toMatchObject({
      errno: "ENAMETOOLONG",
    });
    await expect(vm.files.read(`${"/x".repeat(3000)}`)).rejects.toMatchObject({
      errno: "ENAMETOOLONG",
    });
    await expect(vm.files.write("/etc/passwd", "x")).rejects.toMatchObject({ errno: "EACCES" });
  });

  it("tells what changes in a directory that is watched", async () => {
    const events: string[] = [];
    await vm.files.makeDirectory("/tmp/seen");
    const watching = (async () => {
      for await (const { type, path } of vm.watch("/tmp/seen")) {
        events.push(`${type} ${path}`);
        if (type === "delete") break;
      }
    })();
    await eventually("the directory is watched", async () => {
      await vm.files.write("/tmp/seen/first", "");
      return events.length > 0;
    });
    await vm.exec("echo x > /tmp/seen/f; mv /tmp/seen/f /tmp/seen/g; rm /tmp/seen/g");
    await watching;
    expect(events.filter((event) => !event.endsWith("/first"))).toEqual([
      "create /tmp/seen/f",
      "modify /tmp/seen/f",
      "move_from /tmp/seen/f",
      "move_to /tmp/seen/g",
      "delete /tmp/seen/g",
    ]);
  });
});

describe("policy and limits", () => {
  it("asks the host, waits for its answer, and records it", async () => {
    const asked: string[] = [];
    const guarded = await vms.create({
      permissions: {
        fs: {
          default: "allow",
          rules: [{ mode: "ask", operations: ["rm"], paths: ["/workspace/**"] }],
        },
      },
      onPermissionRequest: async ({ scope, operation, subject }) => {
        asked.push(`${scope}.${operation} ${subject}`);
        return subject.endsWith("yes") ? "allow" : "deny";
      },
    });
    const { stderr, stdout } = await guarded.exec(
      "cd /workspace; : > yes; : > no; rm yes; rm no; echo *",
    );
    expect(stdout).toBe("no\n");
    expect(stderr).toBe(
      "rm: cannot remove 'no': Permission denied (blocked by fs.rm policy (ask: fs.rules[0]))\n",
    );
    expect(asked).toEqual(["fs.rm /workspace/yes", "fs.rm /workspace/no"]);
    const records = (await guarded.audit()).filter(({ operation }) => operation === "rm");
    expect(
      records.map(({ subject, outcome, rule, command }) => [subject, outcome, rule, command]),
    ).toEqual([
      ["/workspace/yes", "allow", "ask: fs.rules[0]", "rm"],
      ["/workspace/no", "deny", "ask: fs.rules[0]", "rm"],
    ]);
    await guarded.destroy();
  });

  it("warns near a limit and stops at it", async () => {
    const small = await vms.create({ limits: { maxFilesystemBytes: 1 << 20 } });
    const warnings: string[] = [];
    small.on("limitWarning", ({ limit, fillPercent }) => {
      warnings.push(`${limit} ${fillPercent >= 80}`);
    });
    const { exitCode, stderr } = await small.exec("cat /dev/zero > big");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("No space left on device");
    expect(warnings).toEqual(["maxFilesystemBytes true"]);
    await small.destroy();
  });

  it("reads and writes files while a guest has taken every process there may be", async () => {
    const full = await vms.create({ limits: { maxProcesses: 8 } });
    const exec = await full.spawn("for i in 1 2 3 4 5 6; do sleep 1000 & done; wait");
    await expect.poll(async () => (await full.processes()).length, { timeout: 10_000 }).toBe(7);
    await full.files.write("/tmp/f", "x");
    expect(String(await full.files.read("/tmp/f"))).toBe("x");
    await expect(full.spawn("true")).rejects.toMatchObject({ errno: "EAGAIN" });
    await exec.stop();
    expect((await full.exec("echo free")).stdout).toBe("free\n");
    await full.destroy();
  });
});
