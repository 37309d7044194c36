import { describe, expect, it } from "vitest";
import type { Errno } from "../../../src/kernel/index.ts";
import { readFile, undoWrite, writeFile } from "../../../src/vm/cell/file-calls.ts";
import { boot, type TestMachine } from "../../support/boot.ts";

const HOME = "/home/user";

interface Wish {
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly offset?: number | "end";
  readonly totalBytes?: number;
  readonly makesParents?: boolean;
}

function write({ kernel }: TestMachine, path: string, wish: Wish = {}) {
  const { text = "new", bytes = new TextEncoder().encode(text), offset = 0 } = wish;
  const { makesParents = false, totalBytes = bytes.length } = wish;
  const truncates = offset !== "end";
  const params = { path, offset, truncates, makesParents, totalBytes, as: "user" } as const;
  return writeFile(kernel, params, bytes);
}

async function read({ kernel }: TestMachine, path: string, length = 1000): Promise<string> {
  const { body } = await readFile(kernel, { path, offset: 0, length, as: "user" });
  return new TextDecoder().decode(body);
}

async function expectFailure(call: Promise<unknown>, errno: Errno, subject: string, reason = "") {
  await expect(call).rejects.toMatchObject({
    errno,
    subject,
    reason: reason === "" ? undefined : reason,
  });
}

describe("a host's file call", () => {
  const fifo = "a fifo is not a regular file";

  it("refuses a FIFO at once, and its reader sees nothing of it", async () => {
    const machine = await boot();
    await machine.sh("mkfifo p");
    await expectFailure(write(machine, `${HOME}/p`), "ENXIO", `${HOME}/p`, fifo);
    await expectFailure(read(machine, `${HOME}/p`), "ENXIO", `${HOME}/p`, fifo);
    const reading = machine.sh("cat p & echo began > began; wait; echo got end");
    while ((await machine.sh("[ -s began ]")).status !== 0);
    await expectFailure(write(machine, `${HOME}/p`), "ENXIO", `${HOME}/p`, fifo);
    await machine.sh("echo from a guest > p");
    expect((await reading).stdout).toBe("from a guest\ngot end\n");
    expect(machine.kernel.fifos.size).toBe(0);
  });

  it("does not wait on a FIFO that is put there after it has looked", async () => {
    const machine = await boot();
    const path = `${HOME}/swapped`;
    for (const call of [() => read(machine, path), () => write(machine, path)]) {
      await machine.sh("rm -f swapped; echo x > swapped");
      const { vfs } = machine.kernel;
      const walk = vfs.walkFrom.bind(vfs);
      let walks = 0;
      // The second walk to the path is that of open.
      vfs.walkFrom = async (...args) => {
        if (args[1] === path && ++walks === 2) {
          vfs.walkFrom = walk;
          await machine.sh("rm swapped; mkfifo swapped");
        }
        return walk(...args);
      };
      await expect(call()).rejects.toMatchObject({ errno: "ENXIO", subject: path });
    }
  });

  it("writes and reads devices", async () => {
    const machine = await boot();
    await write(machine, "/dev/null");
    await expectFailure(write(machine, "/dev/full"), "ENOSPC", "/dev/full");
    expect(await read(machine, "/dev/null")).toBe("");
    expect(await read(machine, "/dev/zero", 3)).toBe("\0\0\0");
  });

  it("names the path when it fails", async () => {
    const machine = await boot();
    await expectFailure(write(machine, "/proc/1/cwd"), "EACCES", "/proc/1/cwd");
    await expectFailure(read(machine, "/none"), "ENOENT", "/none");
  });

  it("makes no directory for a path that asks for one", async () => {
    const machine = await boot();
    for (const end of ["tr/", "tr/.", "tr/a/.."]) {
      const path = `${HOME}/${end}`;
      await expectFailure(write(machine, path, { makesParents: true }), "EISDIR", path);
    }
    expect((await machine.sh("ls")).stdout).toBe("");
  });
});

describe("a write without room for all of it", () => {
  const limits = { maxFilesystemBytes: 1 << 20 };
  const reason = "limit maxFilesystemBytes is 1048576; raise limits.maxFilesystemBytes of the VM";

  it("leaves the old content, and makes nothing", async () => {
    const machine = await boot({ limits });
    await write(machine, `${HOME}/old`, { text: "kept" });
    const used = machine.kernel.limits.used("maxFilesystemBytes");
    const wish = { totalBytes: 2 << 20, makesParents: true };
    for (const path of [`${HOME}/old`, `${HOME}/deep/new`]) {
      await expectFailure(write(machine, path, wish), "ENOSPC", path, reason);
      await expectFailure(write(machine, path, { ...wish, offset: "end" }), "ENOSPC", path, reason);
    }
    expect(await read(machine, `${HOME}/old`)).toBe("kept");
    expect((await machine.sh("ls")).stdout).toBe("old\n");
    expect(machine.kernel.limits.used("maxFilesystemBytes")).toBe(used);
  });

  it("counts what the old content gives back", async () => {
    const machine = await boot({ limits });
    const path = `${HOME}/big`;
    await write(machine, path, { bytes: new Uint8Array(900_000).fill(97) });
    await write(machine, path, { bytes: new Uint8Array(1_000_000).fill(98) });
    expect(await read(machine, path, 3)).toBe("bbb");
  });

  it("takes back what it made when the room is gone meanwhile", async () => {
    const machine = await boot({ limits });
    const bytes = new Uint8Array(2 << 20);
    const lying = { bytes, totalBytes: 1 };
    await write(machine, `${HOME}/log`, { text: "one\n" });
    await machine.sh("ln -s target link");
    const appending = { ...lying, offset: "end" } as const;
    await expectFailure(write(machine, `${HOME}/log`, appending), "ENOSPC", `${HOME}/log`, reason);
    await expectFailure(write(machine, `${HOME}/new`, lying), "ENOSPC", `${HOME}/new`, reason);
    await expectFailure(write(machine, `${HOME}/link`, lying), "ENOSPC", `${HOME}/link`, reason);
    expect((await machine.sh("cat log; ls; wc -c target")).stdout).toBe(
      "one\nlink\nlog\ntarget\n0 target\n",
    );
  });

  it("is undone after its first pieces: a new file goes, another is cut", async () => {
    const machine = await boot();
    const { kernel } = machine;
    const as = "user";
    expect(await write(machine, `${HOME}/new`)).toEqual({ isNew: true, sizeBefore: 0 });
    expect(await write(machine, `${HOME}/new`, { offset: "end" })).toEqual({
      isNew: false,
      sizeBefore: 3,
    });
    await undoWrite(kernel, { path: `${HOME}/new`, isNew: false, sizeBytes: 3, as });
    expect(await read(machine, `${HOME}/new`)).toBe("new");
    await undoWrite(kernel, { path: `${HOME}/new`, isNew: true, sizeBytes: 0, as });
    expect((await machine.sh("ls")).stdout).toBe("");
  });
});
