import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

let vms: Vms;

beforeAll(() => {
  vms = new built.Vms({ poolSize: 1 });
});

afterAll(async () => {
  await vms.close();
});

describe("rules for files, against a guest that renames", () => {
  it("keep a denied directory denied, for root too", async () => {
    const rules = [{ mode: "deny", paths: ["/workspace/a/b/**"] }] as const;
    const vm = await vms.create({ permissions: { fs: { default: "allow", rules } } });
    await vm.files.write("/workspace/a/b/f", "secret", { createParents: true });
    const { stdout } = await vm.exec(
      `cd /workspace; mv a c; cat c/b/f
      sudo mv /workspace /w2; cat /w2/a/b/f
      mkdir d; mv d e; ls`,
    );
    expect(stdout).toBe("a\ne\n");
    await vm.destroy();
  });

  it("keep protected files as they are", async () => {
    const rules = [{ mode: "deny", operations: ["write", "rm"], paths: ["/ro/**"] }] as const;
    const vm = await vms.create({ permissions: { fs: { default: "allow", rules } } });
    await vm.files.write("/ro/f", "kept", { createParents: true, as: "root" });
    const script = `mkdir /x; echo pwn > /tmp/pw
      mv /ro /rw; echo pwn > /rw/f
      mv /ro/f /x/f; echo pwn > /x/f
      mv /tmp/pw /ro/f
      ln /ro/f /x/g; mount --bind /x /ro
      cat /ro/f`;
    expect((await vm.exec(script, { as: "root" })).stdout).toBe("kept");
    await vm.destroy();
  });
});

describe("rules for programs", () => {
  it("hold for a program wherever its file lies", async () => {
    const rules = [{ mode: "deny", patterns: ["/usr/bin/seq"] }] as const;
    const vm = await vms.create({ permissions: { childProcess: { default: "allow", rules } } });
    const { stdout, stderr } = await vm.exec(
      `seq 1; cp /usr/bin/seq mine; ./mine 1; sudo mv /usr/bin/seq /usr/local/bin/moved; moved 1
      printf '\\177PROGRAM seq\\n' > own; chmod +x own; ./own 1; echo end`,
    );
    expect(stdout).toBe("end\n");
    const why = "Permission denied (blocked by childProcess.spawn policy (childProcess.rules[0]))";
    const places = [
      "line 1: /usr/bin/seq",
      "line 1: ./mine",
      "line 1: /usr/local/bin/moved",
      "line 2: ./own",
    ];
    expect(stderr).toBe(places.map((place) => `bash: ${place}: ${why}\n`).join(""));
    await vm.destroy();
  });
});

describe("rules for variables", () => {
  it("keep the host's variables from root and from /proc", async () => {
    const rules = [{ mode: "deny", patterns: ["SECRET_*"] }] as const;
    const permissions = { env: { default: "allow", rules } } as const;
    const vm = await vms.create({ permissions, env: { SECRET_A: "hidden", OPEN: "shown" } });
    const script = "sudo cat /proc/*/environ | tr '\\0' '\\n' | grep -e SECRET -e OPEN | sort -u";
    expect((await vm.exec(script)).stdout).toBe("OPEN=shown\n");
    await vm.destroy();
  });

  it("drop what a guest may not write, and let its commands run", async () => {
    const rules = [{ mode: "deny", operations: ["write"], patterns: ["SECRET_*"] }] as const;
    const permissions = { env: { default: "allow", rules } } as const;
    const vm = await vms.create({ permissions });
    const { stdout, exitCode } = await vm.exec("export SECRET_B=1 C=2; env | grep -e SECRET -e C=");
    expect({ stdout, exitCode }).toEqual({ stdout: "C=2\n", exitCode: 0 });
    const denied = (await vm.audit()).filter(({ outcome }) => outcome === "deny");
    expect(denied[0]).toMatchObject({ scope: "env", operation: "write", subject: "SECRET_B" });
    await vm.destroy();
  });
});
