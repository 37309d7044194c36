// What is said below errors of scripts that need more than a VM.
import { afterAll, describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../../src/kernel/index.ts";
import { built } from "../../support/built-vms.ts";

const sandbox = { name: "sandbox", description: "", run: async () => 0 };
const fileSystem = new MemoryFileSystem({ now: Date.now });
const mounts = [{ at: "/sandbox", fileSystem }];
const vms = new built.Vms({ poolSize: 1 });
const withSandbox = await vms.create({ commands: [sandbox], mounts });
const without = await vms.create({ mounts });
afterAll(() => vms.close());

const missing = "Executable doesn't exist at /home/user/.cache/ms-playwright/chrome";

describe("an uncaught error", () => {
  it.each([
    ["process.dlopen({ exports: {} }, '/sandbox/x.node')", "native modules"],
    [`throw new Error("browserType.launch: ${missing}")`, "browsers"],
    ['throw new Error("Could not find Chrome (ver. 131.0)")', "browsers"],
  ])("of %s says where it would run, where there is a sandbox", async (script, subject) => {
    const name = `${subject.length}-${script.length}.js`;
    fileSystem.seed([
      { path: `/${name}`, kind: "file", mode: 0o644, content: Buffer.from(script) },
    ]);
    const ran = await withSandbox.exec(`cd /sandbox; node ${name}`);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr.split("\n").slice(-3)).toEqual([
      expect.stringMatching(/^Node\.js v/),
      `node: ${subject} do not run in a VM; in the VM's sandbox, with files in /sandbox: sandbox exec -- node ${name}`,
      "",
    ]);
    const whole = await withSandbox.exec(`node /sandbox/${name}`);
    expect(whole.stderr).toContain(`sandbox exec -- node /workspace/${name}\n`);
    const alone = await without.exec(`cd /sandbox; node ${name}`);
    expect(alone.stderr.split("\n").at(-2)).toMatch(/^Node\.js v/);
  });

  it("comes with what a shell says of a program for Linux that was to be a child", async () => {
    const script = `require("child_process").spawnSync("/tmp/a", { stdio: "inherit" })`;
    const ran = await withSandbox.exec(
      `printf '\\177ELF\\2\\1\\1\\0' > /tmp/a; chmod +x /tmp/a; node -e '${script}'`,
    );
    expect(ran.stderr).toBe(
      "/tmp/a: /tmp/a: cannot execute binary file\n" +
        "/tmp/a: a program for Linux itself; in the VM's sandbox: cp /tmp/a /sandbox && sandbox exec -- /workspace/a\n",
    );
  });

  it("says nothing of other errors, whatever they do when they are looked at", async () => {
    for (const error of [
      "new Error('Executable')",
      "'ERR_DLOPEN_FAILED'",
      "null",
      "({ get code() { throw 1 } })",
    ]) {
      const ran = await withSandbox.exec(`node -e "throw ${error}"`);
      expect([ran.exitCode, ran.stderr.includes("sandbox")]).toEqual([1, false]);
    }
  });

  it("names no script that the sandbox does not have", async () => {
    const ran = await withSandbox.exec(`node -e 'process.dlopen({}, "x.node")'`);
    expect(ran.stderr.split("\n").at(-2)).toMatch(/sandbox exec -- node \.\.\.$/);
  });
});
