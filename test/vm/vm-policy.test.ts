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
