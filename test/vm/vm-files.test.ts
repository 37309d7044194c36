import { describe, expect, it } from "vitest";
import { undoWrite, writeFile } from "../../src/vm/cell/file-calls.ts";
import { type CallCell, VmFiles } from "../../src/vm/vm-files.ts";
import type { CellParams } from "../../src/vm/wire/cell-methods.ts";
import { boot, type TestMachine } from "../support/boot.ts";
import { built } from "../support/built-vms.ts";

const MIB = 1 << 20;

/** The files of a machine without its cell; `beforePiece` runs before each piece of a write. */
function filesOf({ kernel }: TestMachine, beforePiece: (at: number) => Promise<unknown>): VmFiles {
  let pieces = 0;
  const call = async (method: string, params: unknown, body = new Uint8Array()) => {
    if (method === "undoWrite") {
      await undoWrite(kernel, params as CellParams<"undoWrite">);
      return { body: new Uint8Array() };
    }
    await beforePiece(pieces++);
    const answer = await writeFile(kernel, params as CellParams<"writeFile">, body);
    return { ...answer, body: new Uint8Array() };
  };
  return new VmFiles(call as CallCell);
}

describe("writing a file", () => {
  it("changes nothing when there is no room for all of it", async () => {
    const vms = new built.Vms({ poolSize: 0 });
    try {
      const vm = await vms.create({ limits: { maxFilesystemBytes: 4 * MIB } });
      await vm.files.write("/workspace/f", new Uint8Array(3 * MIB).fill(97));
      await expect(vm.files.write("/workspace/f", new Uint8Array(5 * MIB))).rejects.toMatchObject({
        errno: "ENOSPC",
        subject: "/workspace/f",
        reason: "limit maxFilesystemBytes is 4194304; raise limits.maxFilesystemBytes of the VM",
      });
      const { stdout } = await vm.exec("wc -c /workspace/f; head -c 3 /workspace/f");
      expect(stdout).toBe("3145728 /workspace/f\naaa");
    } finally {
      await vms.close();
    }
  });

  it("takes back its pieces when a guest has filled the room between them", async () => {
    const machine = await boot({ limits: { maxFilesystemBytes: 4 * MIB } });
    const fill = "head -c 5000000 /dev/zero > fill";
    const files = filesOf(machine, async (at) => (at === 2 ? machine.sh(fill) : undefined));
    await machine.sh("printf 'one\\n' > log");
    const written = files.write("/home/user/log", new Uint8Array(3 * MIB), { append: true });
    await expect(written).rejects.toMatchObject({ errno: "ENOSPC", subject: "/home/user/log" });
    await machine.sh("rm fill");
    const again = filesOf(machine, async (at) => (at === 2 ? machine.sh(fill) : undefined));
    await expect(again.write("/home/user/new", new Uint8Array(3 * MIB))).rejects.toMatchObject({
      errno: "ENOSPC",
    });
    expect((await machine.sh("ls; cat log")).stdout).toBe("fill\nlog\none\n");
  });
});
