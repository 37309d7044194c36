import { describe, expect, it } from "vitest";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { TestKernel, USER, writeText } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

function makePrograms() {
  const runs: { argv: readonly string[]; ids: object }[] = [];
  const tell: Program = async (sys, argv) => {
    const { uid, euid, suid, gid, egid, sgid } = await sys.getcredentials();
    runs.push({ argv, ids: { uid, euid, suid, gid, egid, sgid } });
    return 0;
  };
  return { runs, programs: { tell } };
}

async function run(sys: Sys, path: string): Promise<void> {
  await sys.wait({ pid: await sys.spawn({ path, argv: ["name"] }) });
}

const userIds = { uid: 1000, euid: 1000, suid: 1000, gid: 1000, egid: 1000, sgid: 1000 };

describe("set-id bits of what is run", () => {
  it("make it act as the file's owner and group, and save that", async () => {
    const { runs, programs } = makePrograms();
    const test = await TestKernel.boot({ programs });
    await test.sys.chown("/bin/tell", 50, 60);
    for (const mode of [0o4755, 0o2755, 0o6755, 0o2745, 0o755]) {
      await test.sys.chmod("/bin/tell", mode);
      await test.as(USER, (sys) => run(sys, "/bin/tell"));
    }
    expect(runs.map(({ ids }) => ids)).toEqual([
      { ...userIds, euid: 50, suid: 50 },
      { ...userIds, egid: 60, sgid: 60 },
      { ...userIds, euid: 50, suid: 50, egid: 60, sgid: 60 },
      userIds,
      userIds,
    ]);
  });

  it("hold for exec as for spawn, and the new image can go back to who it really is", async () => {
    const seen: number[][] = [];
    const test = await TestKernel.boot({
      programs: {
        drop: async (sys) => {
          const ids = async (): Promise<number[]> => {
            const { uid, euid, suid } = await sys.getcredentials();
            return [uid, euid, suid];
          };
          seen.push(await ids());
          await sys.setuid(1000);
          seen.push(await ids());
          return 0;
        },
      },
    });
    await test.sys.chown("/bin/drop", 50, -1);
    await test.sys.chmod("/bin/drop", 0o4755);
    const status = await test.run((sys) => sys.exec({ path: "/bin/drop", argv: ["drop"] }), {
      credentials: USER,
    });
    expect(status).toEqual({ kind: "exited", code: 0 });
    expect(seen).toEqual([
      [1000, 50, 50],
      [1000, 1000, 50],
    ]);
  });

  it("mean nothing on a script", async () => {
    const { runs, programs } = makePrograms();
    const test = await TestKernel.boot({ programs });
    await writeText(test.sys, "/tmp/script", "#!/bin/tell\n");
    await test.sys.chmod("/tmp/script", 0o6755);
    await test.as(USER, (sys) => run(sys, "/tmp/script"));
    expect(runs.map(({ ids }) => ids)).toEqual([userIds]);
  });
});

describe("the first line of a script", () => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    "#!/bin/tell": ["/bin/tell", "/tmp/s"],
    "#!  \t/bin/tell\t \n": ["/bin/tell", "/tmp/s"],
    "#!/bin/tell -a b\n": ["/bin/tell", "-a b", "/tmp/s"],
    "#!/bin/tell  -é \nmore": ["/bin/tell", "-é", "/tmp/s"],
    [`#!/bin/tell ${"a".repeat(300)}\n`]: ["/bin/tell", "a".repeat(256 - 12), "/tmp/s"],
  };
  for (const [line, argv] of Object.entries(lines)) {
    it(`is read as Linux reads it: ${JSON.stringify(line).slice(0, 40)}`, async () => {
      const { runs, programs } = makePrograms();
      const test = await TestKernel.boot({ programs });
      await writeText(test.sys, "/tmp/s", line, 0o755);
      await test.as(USER, (sys) => run(sys, "/tmp/s"));
      expect(runs.map((one) => one.argv)).toEqual([argv]);
    });
  }

  it("may lead through four more scripts, and no more", async () => {
    const { runs, programs } = makePrograms();
    const test = await TestKernel.boot({ programs });
    await writeText(test.sys, "/tmp/s1", "#!/bin/tell\n", 0o755);
    for (let i = 2; i <= 6; i++)
      await writeText(test.sys, `/tmp/s${i}`, `#!/tmp/s${i - 1}\n`, 0o755);
    await test.as(USER, async (sys) => {
      await run(sys, "/tmp/s5");
      await expect(run(sys, "/tmp/s6")).rejects.toMatchObject({ errno: "ELOOP" });
    });
    expect(runs[0]?.argv).toEqual([
      "/bin/tell",
      "/tmp/s1",
      "/tmp/s2",
      "/tmp/s3",
      "/tmp/s4",
      "/tmp/s5",
    ]);
  });

  it("keeps a carriage return: there is no such interpreter", async () => {
    const test = await TestKernel.boot(makePrograms());
    await writeText(test.sys, "/tmp/s", "#!/bin/tell\r\n", 0o755);
    await test.as(USER, (sys) =>
      expect(run(sys, "/tmp/s")).rejects.toMatchObject({ errno: "ENOENT" }),
    );
  });
});

describe("what may be run", () => {
  it("is decided by the policy for the file itself, its interpreter and the program it is", async () => {
    const rules = [{ mode: "deny", patterns: ["/bin/tell"] }] as const;
    const { runs, programs } = makePrograms();
    const test = await TestKernel.boot({
      programs,
      permissions: { childProcess: { default: "allow", rules } },
    });
    await test.sys.symlink("/bin/tell", "/tmp/link");
    await writeText(test.sys, "/tmp/script", "#!/bin/tell\n", 0o755);
    await writeText(test.sys, "/tmp/copy", "\x7fPROGRAM tell\n", 0o755);
    await test.as(USER, async (sys) => {
      for (const path of ["/bin/tell", "link", "script", "copy", "/proc/../bin/./tell"]) {
        await expect(run(sys, path)).rejects.toMatchObject({
          errno: "EACCES",
          subject: "/bin/tell",
          reason: "blocked by childProcess.spawn policy (childProcess.rules[0])",
        });
      }
    });
    expect(runs).toEqual([]);
  });

  it("is asked again when the path leads elsewhere after the answer", async () => {
    const { runs, programs } = makePrograms();
    const test = await TestKernel.boot({
      programs: { ...programs, evil: programs.tell },
      permissions: { childProcess: "ask" },
    });
    await test.sys.symlink("/bin/tell", "/tmp/link");
    const running = test.as(USER, (sys) => run(sys, "/tmp/link")).catch((error: unknown) => error);
    await settle();
    await test.sys.unlink("/tmp/link");
    await test.sys.symlink("/bin/evil", "/tmp/link");
    test.host.questions[0]?.answer("allow");
    await settle();
    expect(test.host.questions.map(({ request }) => request.subject)).toEqual([
      "/bin/tell",
      "/bin/evil",
    ]);
    test.host.questions[1]?.answer("deny");
    expect(await running).toMatchObject({ errno: "EACCES", subject: "/bin/evil" });
    expect(runs).toEqual([]);
  });

  it("loses its right to run while the host is asked", async () => {
    const test = await TestKernel.boot({ ...makePrograms(), permissions: { childProcess: "ask" } });
    const running = test.as(USER, (sys) => run(sys, "/bin/tell")).catch((error: unknown) => error);
    await settle();
    await test.sys.chmod("/bin/tell", 0o644);
    test.host.questions[0]?.answer("allow");
    expect(await running).toMatchObject({ errno: "EACCES" });
  });
});
