import { describe, expect, it } from "vitest";
import type { PermissionsConfig, Rule } from "../../../src/kernel/permissions/policy.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { ROOT, readText, TestKernel, writeText } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

const ways: readonly Rule[] = [
  { mode: "deny", paths: ["/workspace/a/b/**"] },
  { mode: "deny", operations: ["write", "rm"], paths: ["/ro/**"] },
  { mode: "deny", operations: ["read"], paths: ["/unread/**"] },
  { mode: "deny", operations: ["chmod"], paths: ["/fixed/**"] },
  { mode: "ask", operations: ["rm"], paths: ["/asked/**"] },
];
const ruled: PermissionsConfig = { fs: { default: "allow", rules: ways } };

const directories = ["/workspace", "/workspace/a", "/workspace/a/b", "/workspace/free", "/ro"];
const others = ["/unread", "/unread/d", "/fixed", "/fixed/d", "/asked", "/asked/d", "/x"];

async function boot(permissions: PermissionsConfig = ruled): Promise<TestKernel> {
  const test = await TestKernel.boot({ permissions });
  for (const path of [...directories, ...others]) await test.sys.mkdir(path);
  for (const path of ["/workspace/a/b/f", "/ro/f", "/unread/f", "/fixed/f", "/asked/f", "/x/pw"]) {
    await writeText(test.sys, path, `of ${path}`);
  }
  return test;
}

type Call = (sys: Sys) => Promise<unknown>;

const move =
  (from: string, to: string): Call =>
  (sys) =>
    sys.rename(from, to);

/** What root in the VM gets: `ok`, or the errno with subject and reason. */
async function attempt(test: TestKernel, call: Call): Promise<string> {
  return test.as(ROOT, (sys) =>
    call(sys).then(
      () => "ok",
      ({ errno, subject, reason }: { errno: string; subject: string; reason: string }) =>
        `${errno} ${subject} ${reason}`,
    ),
  );
}

describe("moving what the policy has rules for", () => {
  const refused: readonly (readonly [string, Call, string])[] = [
    [
      "a directory above a denied one",
      move("/workspace/a", "/workspace/c"),
      "/workspace/a/ blocked by fs.read policy (fs.rules[0])",
    ],
    [
      "a directory further above",
      move("/workspace", "/w2"),
      "/workspace/ blocked by fs.read policy (fs.rules[0])",
    ],
    [
      "a directory to where a rule waits below",
      move("/x", "/ro/x"),
      "/ro/x/ blocked by fs.write policy (fs.rules[1])",
    ],
    [
      "a write-protected directory",
      move("/ro", "/rw"),
      "/ro blocked by fs.rm policy (fs.rules[1])",
    ],
    [
      "a write-protected file",
      move("/ro/f", "/x/f"),
      "/ro/f blocked by fs.rm policy (fs.rules[1])",
    ],
    [
      "a file over a protected one",
      move("/x/pw", "/ro/f"),
      "/ro/f blocked by fs.write policy (fs.rules[1])",
    ],
    [
      "a file that cannot be read to where it could",
      move("/unread/f", "/x/f"),
      "/unread/f blocked by fs.read policy (fs.rules[2])",
    ],
    [
      "a directory whose files cannot be read to where they could",
      move("/unread/d", "/x/d"),
      "/unread/d blocked by fs.read policy (fs.rules[2])",
    ],
    [
      "a directory whose files must be asked about",
      move("/asked/d", "/x/d"),
      "/asked/d/ blocked by fs.rm policy (fs.rules[4])",
    ],
  ];
  for (const [what, call, message] of refused) {
    it(`refuses ${what}`, async () => {
      const test = await boot();
      const answer = attempt(test, call);
      await settle();
      for (const question of test.host.questions) question.answer("allow");
      expect(await answer).toBe(`EACCES ${message}`);
      expect(test.kernel.audit.after(0, 1000).at(-1)).toMatchObject({
        call: "rename",
        outcome: "deny",
      });
    });
  }

  const allowed: readonly (readonly [string, Call])[] = [
    ["a file where no rule is", move("/x/pw", "/x/other")],
    ["a directory where no rule is", move("/workspace/free", "/x/free")],
    ["a file within one rule", move("/unread/f", "/unread/g")],
    ["a directory within one rule that does not forbid moving", move("/fixed/d", "/fixed/e")],
    ["a file to where more is denied", move("/x/pw", "/unread/pw")],
  ];
  for (const [what, call] of allowed) {
    it(`lets ${what} be moved`, async () => {
      expect(await attempt(await boot(), call)).toBe("ok");
    });
  }

  it("refuses a directory that would bring files to where a rule waits for them", async () => {
    const test = await boot();
    await test.sys.unlink("/workspace/a/b/f");
    await test.sys.rmdir("/workspace/a/b");
    expect(await attempt(test, move("/x", "/workspace/a"))).toBe(
      "EACCES /workspace/a/ blocked by fs.read policy (fs.rules[0])",
    );
  });

  it("asks about the old name before a file is moved", async () => {
    const test = await boot();
    const moving = attempt(test, move("/asked/f", "/x/f"));
    await settle();
    expect(test.host.questions.map(({ request }) => request.subject)).toEqual(["/asked/f"]);
    test.host.questions[0]?.answer("allow");
    expect(await moving).toBe("ok");
  });

  it("moves directories within what a rule grants when all else is denied", async () => {
    const rules: Rule[] = [{ mode: "allow", paths: ["/workspace/**"] }];
    const test = await boot({ fs: { rules } });
    expect(await attempt(test, move("/workspace/a", "/workspace/c"))).toBe("ok");
    expect(await attempt(test, move("/workspace/c", "/x/c"))).toBe(
      "EACCES /x/c blocked by fs.rename policy (fs.default)",
    );
  });

  it("does not hold the host", async () => {
    const test = await boot();
    await test.sys.rename("/workspace", "/w2");
    expect(await readText(test.sys, "/w2/a/b/f")).toBe("of /workspace/a/b/f");
  });

  it("does not move a directory that was put where a file was checked", async () => {
    const test = await boot();
    const moving = attempt(test, move("/x/pw", "/asked/f"));
    await settle();
    await test.sys.unlink("/x/pw");
    await test.sys.mkdir("/x/pw");
    test.host.questions[0]?.answer("allow");
    expect(await moving).toBe("ENOENT undefined undefined");
    expect(await readText(test.sys, "/asked/f")).toBe("of /asked/f");
  });
});

describe("a second name for what the policy has rules for", () => {
  const refused: readonly (readonly [string, Call, string])[] = [
    [
      "a write-protected file",
      (sys) => sys.link("/ro/f", "/x/f"),
      "/ro/f blocked by fs.write policy (fs.rules[1])",
    ],
    [
      "an unreadable file",
      (sys) => sys.link("/unread/f", "/x/f"),
      "/unread/f blocked by fs.read policy (fs.rules[2])",
    ],
    [
      "a file whose mode is fixed",
      (sys) => sys.link("/fixed/f", "/x/f"),
      "/fixed/f blocked by fs.chmod policy (fs.rules[3])",
    ],
    [
      "a mount over a directory with a rule below",
      (sys) => sys.mount({ type: "memory", target: "/workspace/a" }),
      "/workspace/a blocked by fs.read policy (fs.rules[0])",
    ],
    [
      "a bind mount over a protected directory",
      (sys) => sys.mount({ type: "bind", source: "/x", target: "/ro" }),
      "/ro blocked by fs.write policy (fs.rules[1])",
    ],
  ];
  for (const [what, call, message] of refused) {
    it(`is refused for ${what}`, async () => {
      expect(await attempt(await boot(), call)).toBe(`EACCES ${message}`);
    });
  }

  it("shows a bound directory with the rules of both its paths", async () => {
    const test = await boot();
    await attempt(test, (sys) => sys.mount({ type: "bind", source: "/workspace", target: "/x" }));
    expect(await attempt(test, (sys) => readText(sys, "/x/a/b/f"))).toBe(
      "EACCES /workspace/a/b/f blocked by fs.read policy (fs.rules[0])",
    );
    expect(await attempt(test, move("/x/a", "/x/c"))).toBe(
      "EACCES /workspace/a/ blocked by fs.read policy (fs.rules[0])",
    );
  });

  it("is not taken away by unmounting what a rule protects", async () => {
    const test = await boot();
    await test.sys.mount({ type: "memory", target: "/ro" });
    expect(await attempt(test, (sys) => sys.umount("/ro"))).toBe(
      "EACCES /ro blocked by fs.write policy (fs.rules[1])",
    );
  });
});
