import { describe, expect, it } from "vitest";
import {
  O_CREAT,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
} from "../../../src/kernel/abi/open-flags.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { ROOT, readText, sleeper, TestKernel, writeText } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

type Test = TestKernel;

const asking = {
  fs: {
    default: "allow",
    rules: [
      { mode: "ask", paths: ["/ask/**"] },
      { mode: "deny", paths: ["/secret/**"] },
    ],
  },
} as const;

async function bootAsking(): Promise<Test> {
  const test = await TestKernel.boot({ permissions: asking });
  await test.sys.mkdir("/ask");
  await test.sys.mkdir("/secret");
  await writeText(test.sys, "/ask/f", "asked");
  await writeText(test.sys, "/secret/f", "secret");
  return test;
}

/** The questions so far, as `read /ask/f`. */
function questions({ host }: Test): string[] {
  return host.questions.map(({ request }) => `${request.operation} ${request.subject}`);
}

/** What a call fails with, whenever it does. */
function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

async function answer(test: Test, at: number, mode: "allow" | "deny"): Promise<void> {
  await settle();
  const question = test.host.questions[at];
  if (question === undefined) throw new Error(`question ${at} has not been asked`);
  question.answer(mode);
  await settle();
}

describe("a path that the policy asks about", () => {
  it("lets the call wait until the host allows it, or fails it with EACCES", async () => {
    const test = await bootAsking();
    const reading = test.asRoot((sys) => readText(sys, "/ask/f"));
    await answer(test, 0, "allow");
    expect(await reading).toBe("asked");
    expect(test.host.questions[0]?.request).toEqual({
      pid: 2,
      command: "test",
      scope: "fs",
      operation: "read",
      subject: "/ask/f",
    });
    const denied = failureOf(test.asRoot((sys) => readText(sys, "/ask/f")));
    await answer(test, 1, "deny");
    expect(await denied).toMatchObject({
      errno: "EACCES",
      subject: "/ask/f",
      reason: "blocked by fs.read policy (ask: fs.rules[0])",
    });
    expect(test.kernel.limits.used("maxPendingAsks")).toBe(0);
  });

  it("is asked about in a question that fits a message, whatever the arguments are", async () => {
    const test = await bootAsking();
    const argv = ["test", "x".repeat(100_000)];
    const reading = test.as(ROOT, (sys) => readText(sys, "/ask/f"), { argv });
    await answer(test, 0, "allow");
    expect(await reading).toBe("asked");
    expect(test.host.questions[0]?.request.command).toBe(`test ${"x".repeat(4090)}…`);
  });

  it("opens and starts nothing for the image that exec has put in place of the one that asked", async () => {
    const test = await TestKernel.boot({ permissions: asking, programs: { sleeper } });
    await test.sys.mkdir("/ask");
    await writeText(test.sys, "/ask/f", "asked");
    let opening: Promise<unknown> = Promise.resolve();
    let starting: Promise<unknown> = Promise.resolve();
    const pid = await test.start(async (sys) => {
      opening = failureOf(sys.open("/ask/f", O_RDONLY));
      starting = failureOf(sys.spawn({ path: "/bin/sleeper", argv: ["late"], cwd: "/ask" }));
      await settle();
      return sys.exec({ path: "/bin/sleeper", argv: ["sleeper"] });
    });
    await settle();
    await answer(test, 0, "allow");
    await answer(test, 1, "allow");
    expect(await opening).toMatchObject({ name: "ProcessEnded" });
    expect(await starting).toMatchObject({ name: "ProcessEnded" });
    expect(test.kernel.processes.list().map((process) => process.comm)).toEqual([
      "init",
      "sleeper",
    ]);
    expect(test.kernel.processes.get(pid).fds.numbers()).toEqual([]);
    expect(test.kernel.limits.used("maxOpenFiles")).toBe(0);
  });

  it("is denied when the host cannot answer", async () => {
    const test = await bootAsking();
    const reading = failureOf(test.asRoot((sys) => readText(sys, "/ask/f")));
    await settle();
    const cause = new Error("gone");
    test.host.questions[0]?.fail(cause);
    expect(await reading).toMatchObject({ errno: "EACCES" });
    expect(test.host.logged).toEqual([
      { level: "warning", message: "no answer for fs.rules[0]; denied", cause },
    ]);
  });

  it("is walked again after the answer: a link swapped meanwhile opens nothing else", async () => {
    const test = await bootAsking();
    await test.sys.symlink("/ask/f", "/tmp/link");
    const reading = failureOf(test.asRoot((sys) => readText(sys, "/tmp/link")));
    await settle();
    await test.sys.unlink("/tmp/link");
    await test.sys.symlink("/secret/f", "/tmp/link");
    await answer(test, 0, "allow");
    expect(await reading).toMatchObject({ errno: "EACCES", subject: "/secret/f" });
    expect(questions(test)).toEqual(["read /ask/f"]);
  });

  it("is asked about again when it leads to another file of the same rule", async () => {
    const test = await bootAsking();
    await writeText(test.sys, "/ask/g", "other");
    await test.sys.symlink("/ask/f", "/tmp/link");
    const reading = test.asRoot((sys) => readText(sys, "/tmp/link"));
    await settle();
    await test.sys.unlink("/tmp/link");
    await test.sys.symlink("/ask/g", "/tmp/link");
    await answer(test, 0, "allow");
    await answer(test, 1, "allow");
    expect(await reading).toBe("other");
    expect(questions(test)).toEqual(["read /ask/f", "read /ask/g"]);
  });

  it("makes nothing in a directory that was moved away meanwhile", async () => {
    const test = await bootAsking();
    await test.sys.mkdir("/ask/d");
    const making = test.asRoot((sys) => sys.mkdir("/ask/d/new"));
    await settle();
    await test.sys.rename("/ask/d", "/secret/d");
    await test.sys.mkdir("/ask/d");
    await answer(test, 0, "allow");
    await making;
    await expect(test.sys.lstat("/secret/d/new")).rejects.toMatchObject({ errno: "ENOENT" });
    expect((await test.sys.lstat("/ask/d/new")).kind).toBe("directory");
  });

  it("fails as the walk does when it is gone by the time of the answer", async () => {
    const test = await bootAsking();
    const reading = failureOf(test.asRoot((sys) => readText(sys, "/ask/f")));
    await settle();
    await test.sys.unlink("/ask/f");
    await answer(test, 0, "allow");
    await answer(test, 1, "allow");
    expect(await reading).toMatchObject({ errno: "ENOENT" });
  });

  it("frees the question when the process is killed, whatever the host does", async () => {
    const test = await bootAsking();
    const pid = await test.start((sys) => readText(sys, "/ask/f").then(() => 0));
    await settle();
    await test.sys.kill(pid, 9);
    await test.sys.wait({ pid });
    await settle();
    expect(test.host.questions[0]?.signal.aborted).toBe(true);
    expect(test.kernel.limits.used("maxPendingAsks")).toBe(0);
    test.host.questions[0]?.answer("allow");
    await settle();
    expect(test.kernel.audit.after(0, 10).filter(({ subject }) => subject === "/ask/f")).toEqual(
      [],
    );
  });

  it("is not asked about beyond the limit of open questions", async () => {
    const test = await TestKernel.boot({
      permissions: { fs: "ask" },
      limits: { maxPendingAsks: 1 },
    });
    const first = test.asRoot((sys) => sys.stat("/"));
    await settle();
    const second = test.start(async (sys) => {
      await expect(sys.stat("/")).rejects.toMatchObject({
        errno: "EACCES",
        reason: "limit maxPendingAsks is 1; raise limits.maxPendingAsks of the VM",
      });
      return 0;
    });
    expect((await test.sys.wait({ pid: await second }))?.status).toEqual({
      kind: "exited",
      code: 0,
    });
    await answer(test, 0, "allow");
    expect((await first).kind).toBe("directory");
  });
});

describe("what open asks the policy", () => {
  const wishes: readonly (readonly [string, number, readonly string[]])[] = [
    ["O_RDONLY", O_RDONLY, ["read"]],
    ["O_WRONLY", O_WRONLY, ["write"]],
    ["O_RDWR", O_RDWR, ["write", "read"]],
    ["O_RDONLY | O_CREAT", O_RDONLY | O_CREAT, ["write", "read"]],
    ["O_RDONLY | O_TRUNC", O_RDONLY | O_TRUNC, ["write", "read"]],
    ["O_WRONLY | O_CREAT", O_WRONLY | O_CREAT, ["write"]],
  ];
  for (const [name, flags, operations] of wishes) {
    it(`is everything that the fd can be used for: ${name}`, async () => {
      const test = await TestKernel.boot();
      await writeText(test.sys, "/tmp/f", "");
      await test.asRoot((sys) => sys.open("/tmp/f", flags));
      const asked = test.kernel.audit.after(0, 10).filter(({ call }) => call === "open");
      expect(asked.map(({ operation }) => operation)).toEqual(operations);
    });
  }

  it("does not let a file be read with leave to write alone, however it is opened", async () => {
    const rules = [{ mode: "deny", operations: ["read"], paths: ["/tmp/f"] }] as const;
    const test = await TestKernel.boot({ permissions: { fs: { default: "allow", rules } } });
    await writeText(test.sys, "/tmp/f", "secret");
    await test.asRoot(async (sys) => {
      for (const flags of [
        O_RDONLY,
        O_RDWR,
        O_RDONLY | O_CREAT,
        O_RDONLY | O_TRUNC,
        O_RDWR | O_CREAT,
      ]) {
        await expect(sys.open("/tmp/f", flags)).rejects.toMatchObject({ errno: "EACCES" });
      }
      const fd = await sys.open("/tmp/f", O_WRONLY);
      await expect(sys.open(`/proc/self/fd/${fd}`, O_RDONLY)).rejects.toMatchObject({
        errno: "EACCES",
      });
    });
    expect(await readText(test.sys, "/tmp/f")).toBe("secret");
  });

  it("goes by the real path, also through /proc, bind mounts aside, and after a rename", async () => {
    const test = await bootAsking();
    await test.sys.mkdir("/pub");
    await test.asRoot(async (sys) => {
      await writeText(sys, "/pub/f", "x");
      const fd = await sys.open("/pub/f", O_WRONLY);
      await test.sys.rename("/pub/f", "/secret/moved");
      for (const path of ["/proc/self/root/secret/f", `/proc/self/fd/${fd}`, "/pub/../secret/f"]) {
        await expect(sys.open(path, O_RDONLY)).rejects.toMatchObject({ errno: "EACCES" });
      }
      await sys.write(fd, encodeText("kept open"));
    });
  });
});

describe("a bind mount", () => {
  it("is no way around what is denied of the directory it shows", async () => {
    const rules = [{ mode: "deny", patterns: ["/bin/tool"] }] as const;
    const test = await TestKernel.boot({
      permissions: { ...asking, childProcess: { default: "allow", rules } },
      programs: { tool: async () => 0 },
    });
    await test.sys.mkdir("/secret");
    await writeText(test.sys, "/secret/f", "secret");
    await test.asRoot(async (sys) => {
      for (const name of ["all", "again", "bins"]) await sys.mkdir(name);
      await sys.mount({ type: "bind", source: "/", target: "all" });
      await sys.mount({ type: "bind", source: "all/bin", target: "bins" });
      await sys.mount({ type: "bind", source: "all", target: "again" });
      await expect(
        sys.mount({ type: "bind", source: "/secret", target: "bins" }),
      ).rejects.toMatchObject({ errno: "EACCES" });
      for (const path of ["all/secret/f", "again/secret/f", "again/secret/new"]) {
        const failure = sys.open(path, O_RDONLY | O_CREAT);
        await expect(failure).rejects.toMatchObject({
          errno: "EACCES",
          subject: `/secret/${path.slice(path.lastIndexOf("/") + 1)}`,
        });
      }
      for (const path of ["/bin/tool", "all/bin/tool", "bins/tool", "again/bin/tool"]) {
        await expect(sys.spawn({ path, argv: ["tool"] })).rejects.toMatchObject({
          errno: "EACCES",
          subject: "/bin/tool",
        });
      }
      await sys.mkdir("all/home/d");
      expect((await sys.stat("/home/d")).kind).toBe("directory");
    });
  });
});

describe("a hard link", () => {
  it("is not made of what may not be read", async () => {
    const rules = [{ mode: "deny", operations: ["read"], paths: ["/tmp/f"] }] as const;
    const test = await TestKernel.boot({ permissions: { fs: { default: "allow", rules } } });
    await writeText(test.sys, "/tmp/f", "secret");
    await test.asRoot(async (sys) => {
      await expect(sys.link("/tmp/f", "/tmp/g")).rejects.toMatchObject({ errno: "EACCES" });
    });
  });
});

describe("the audit log", () => {
  it("has who did what to what, and which rule decided", async () => {
    const test = await bootAsking();
    await test.host.advance(5);
    const act = async (sys: Sys): Promise<void> => {
      await sys.stat("/tmp");
      await sys.open("/secret/f", O_RDONLY).catch(() => undefined);
    };
    await test.asUser(act);
    const [first, second] = test.kernel.audit.after(0, 10).filter(({ call }) => call !== "chdir");
    const who = { pid: 2, command: "test", timeMs: test.host.now(), scope: "fs" };
    const { sequence } = first ?? { sequence: 0 };
    expect([first, second]).toEqual([
      {
        sequence,
        ...who,
        call: "stat",
        operation: "stat",
        subject: "/tmp",
        outcome: "allow",
        rule: "fs.default",
      },
      {
        sequence: sequence + 1,
        ...who,
        call: "open",
        operation: "read",
        subject: "/secret/f",
        outcome: "deny",
        rule: "fs.rules[1]",
      },
    ]);
  });

  it("has nothing of what the host does itself", async () => {
    const test = await bootAsking();
    expect(await readText(test.sys, "/secret/f")).toBe("secret");
    expect(test.kernel.audit.after(0, 100)).toEqual([]);
    const user = test.kernel.enterAs({ ...test.kernel.init.credentials, euid: 1000 });
    const sys = test.kernel.sysOf(user);
    await expect(sys.mkdir("/secret/d")).rejects.toMatchObject({
      errno: "EACCES",
      reason: undefined,
    });
    expect(test.kernel.audit.after(0, 100)).toEqual([]);
  });
});
