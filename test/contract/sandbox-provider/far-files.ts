import { describe, expect, it } from "vitest";
import type { Inode } from "../../../src/kernel/index.ts";
import { ExecFiles } from "../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { MovingFiles } from "../../../src/sandbox-escalation/files/moving/moving-files.ts";
import { FarWorkspace } from "../../support/far-workspace.ts";
import { bytes, newFile } from "../file-system/setup.ts";
import type { ContractContext } from "../sandbox-provider-contract.ts";
import { sh } from "./run-in-sandbox.ts";

const { signal } = new AbortController();

/** A VM's files follow a sandbox that has files of its own, and come back. */
export function describeFarFiles({ underTest, can }: ContractContext): void {
  describe("files elsewhere", () => {
    it("follow it, change with it, and come back", async (context) => {
      const { provider, makeSpec } = underTest();
      const made = await provider.create(await makeSpec());
      try {
        if (!(made.files instanceof ExecFiles)) return context.skip("it shares the workspace");
        const { moving } = await FarWorkspace.open();
        const { files } = moving;
        const folder = await make(files, files.root, "folder", "directory");
        const file = await make(files, folder, "file", "file");
        await files.write(file, bytes("from here\n"), 0);
        await files.setAttributes(file, { mode: 0o751, mtimeMs: 1_000_000_000_000 });
        await moving.follow(made, signal);
        const there = await sh(made, "cat folder/file; stat -c '%a %Y' folder/file");
        expect(there.stdout).toBe("from here\n751 1000000000\n");
        await sh(made, "echo there >> folder/file; mkdir new; ln -s folder new/link; rm -f gone");
        moving.expire();
        expect(await read(files, file)).toBe("from here\nthere\n");
        expect(await moving.comeHome(made, signal)).toBeUndefined();
        expect(await read(files, file)).toBe("from here\nthere\n");
        const added = await files.lookup(files.root, "new");
        const link = added && (await files.lookup(added, "link"));
        expect(link && (await files.readlink(link, 1))).toBe("folder");
      } finally {
        await made.destroy();
      }
    });

    can("resume", "are brought to one that runs again, where they changed", async () => {
      const { provider, makeSpec } = underTest();
      const made = await provider.create(await makeSpec());
      try {
        if (!(made.files instanceof ExecFiles)) return;
        const { moving } = await FarWorkspace.open();
        const { files } = moving;
        await moving.follow(made, signal);
        await sh(made, "echo 1 > one; echo 2 > two");
        await moving.comeHome(made, signal);
        await made.stop();
        await files.unlink({ directory: files.root, name: "one" });
        await files.write(await make(files, files.root, "three", "file"), bytes("3\n"), 0);
        await made.resume();
        await moving.follow(made, signal);
        expect((await sh(made, "cat *; ls")).stdout).toBe("3\n2\nthree\ntwo\n");
      } finally {
        await made.destroy();
      }
    });
  });
}

function make(files: MovingFiles, directory: Inode, name: string, kind: "file" | "directory") {
  return files.create({ directory, name }, newFile(kind));
}

async function read(files: MovingFiles, inode: Inode): Promise<string> {
  const into = new Uint8Array(100);
  return new TextDecoder().decode(into.subarray(0, await files.read(inode, into, 0)));
}
