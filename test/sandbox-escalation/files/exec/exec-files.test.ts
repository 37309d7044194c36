import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Limits } from "../../../../src/kernel/limits/limits.ts";
import type { DirectoryPage } from "../../../../src/kernel/vfs/file-system.ts";
import type { ExecHost } from "../../../../src/sandbox-escalation/files/exec/exec-agent.ts";
import { ExecFiles } from "../../../../src/sandbox-escalation/files/exec/exec-files.ts";
import type { SandboxProcess } from "../../../../src/sandbox-escalation/provider.ts";
import { expectErrno } from "../../../contract/file-system/setup.ts";
import { describeFileSystemContract } from "../../../contract/file-system-contract.ts";
import { hostProcesses } from "../../../support/host-process-sandbox.ts";

async function makeFiles(shell?: string) {
  const path = await mkdtemp(join(tmpdir(), "exec-files-"));
  const fs = new ExecFiles(hostProcesses(path, shell));
  const close = async (): Promise<void> => {
    await fs.close();
    await rm(path, { recursive: true });
  };
  return { path, fs, close };
}

describeFileSystemContract("ExecFiles", {
  async make() {
    const { fs, close } = await makeFiles();
    return { fs, close, limits: new Limits({}, () => {}), advance: () => undefined };
  },
  // Each call is a program or two that a shell starts.
  timeoutMs: 60_000,
  cannot: {
    "charges limits": "a sandbox has limits of its own",
    "counts links of directories": "some file systems of sandboxes count none",
    "devices and fifos": "special files are not shared",
    "exact times": "the sandbox's clock is not the test's",
    "files without a name": "a file is reached by its name",
    owners: "all that is shared is the VM's user's",
  },
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const newFile = { kind: "file", mode: 0o644, uid: 1000, gid: 1000 } as const;

async function withFiles(test: (made: Awaited<ReturnType<typeof makeFiles>>) => Promise<void>) {
  const made = await makeFiles("bash");
  try {
    await test(made);
  } finally {
    await made.close();
  }
}

/** A sandbox whose processes say what they want. */
function lying(output: AsyncIterable<Uint8Array>): ExecHost {
  const nothing = async function* (): AsyncGenerator<Uint8Array> {};
  return {
    cwd: "/",
    spawn: async () => ({
      id: "1",
      output,
      errors: nothing(),
      ended: new Promise(() => undefined),
      writeInput: async () => undefined,
      closeInput: async () => undefined,
      resize: async () => undefined,
      kill: async () => undefined,
    }),
  };
}

describe("ExecFiles", () => {
  it("writes any bytes at any offset, and reads them back", async () => {
    await withFiles(async ({ path, fs }) => {
      const file = await fs.create({ directory: fs.root, name: "-rf *\n$(id)" }, newFile);
      const content = Uint8Array.from({ length: 300_001 }, (_, i) => (i * 7) & 0xff);
      expect(await fs.write(file, content, 0)).toBe(300_001);
      expect(await fs.write(file, bytes("odd"), 100_003)).toBe(100_006);
      content.set(bytes("odd"), 100_003);
      expect(await fs.write(file, bytes("end\n\0"), "end")).toBe(300_006);
      const into = new Uint8Array(300_006);
      expect(await fs.read(file, into, 0)).toBe(300_006);
      expect(Buffer.from(into).equals(Buffer.concat([content, bytes("end\n\0")]))).toBe(true);
      const there = await readFile(join(path, "-rf *\n$(id)"));
      expect(there.equals(Buffer.from(into))).toBe(true);
    });
  });

  it("takes names for names, whatever is in them", async () => {
    await withFiles(async ({ fs }) => {
      const names = [
        "-n",
        "--",
        "a b",
        "$(touch evil)",
        "`touch evil`",
        "'\"\\",
        "*",
        "\t",
        "\\0101",
        "x\n",
      ];
      for (const name of names) await fs.create({ directory: fs.root, name }, newFile);
      const { entries } = await fs.list(fs.root, 0, 100);
      expect(entries.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      for (const name of names) await fs.unlink({ directory: fs.root, name });
      expect((await fs.list(fs.root, 0, 100)).entries).toEqual([]);
      for (const name of ["..", "a/b", "", "a\0b"]) {
        await expectErrno(fs.lookup(fs.root, name), "EINVAL");
      }
    });
  });

  it("starts its script again when it has ended, and fails what was under way", async () => {
    await withFiles(async ({ path }) => {
      const host = hostProcesses(path);
      const started: SandboxProcess[] = [];
      const fs = new ExecFiles({
        cwd: path,
        spawn: async (argv, options) => {
          const process = await host.spawn(argv, options);
          started.push(process);
          return process;
        },
      });
      await fs.create({ directory: fs.root, name: "file" }, newFile);
      await started[0]?.kill("SIGKILL");
      await started[0]?.ended;
      await fs.stat(fs.root).catch(() => undefined);
      expect((await fs.stat(fs.root)).kind).toBe("directory");
      expect(started.length).toBe(2);
      await fs.close();
      await expectErrno(fs.stat(fs.root), "EIO");
    });
  });

  it("puts a large listing in order once, not for each of its pages", async () => {
    const names = Array.from({ length: 50_000 }, (_, i) => `./file-${i}`);
    const facts = names.map((name, i) => `81a4 0 1 ${i + 1} 0 0 0 0 ${name}\n`);
    const word = (texts: readonly string[], end: string): string =>
      Buffer.from(texts.map((text) => `${text}${end}`).join("")).toString("base64");
    const answer = `ok ${word(names, "\0")}= ${word(facts, "")}=\n`;
    const fs = new ExecFiles(
      lying(
        (async function* () {
          await new Promise(setImmediate);
          yield Buffer.from(answer);
          await new Promise(() => undefined);
        })(),
      ),
    );
    const found = new Set<string>();
    for (let cursor: number | undefined = 0; cursor !== undefined; ) {
      const page: DirectoryPage = await fs.list(fs.root, cursor, 128);
      for (const { name } of page.entries) found.add(name);
      cursor = page.cursor;
    }
    expect(found.size).toBe(50_000);
    await fs.close();
  });

  it.each([
    ["nonsense", "what is this\n"],
    ["no numbers", "ok 41ed x 1 2 3 4 5 6\n"],
    ["an endless line", undefined],
    ["an end", ""],
  ])("fails with EIO when the sandbox answers with %s", async (_, answer) => {
    const output = async function* (): AsyncGenerator<Uint8Array> {
      if (answer !== undefined) {
        yield bytes(answer);
        return;
      }
      for (let i = 0; i < 100; i++) yield new Uint8Array(1 << 20).fill(65);
    };
    const fs = new ExecFiles(lying(output()));
    await expectErrno(fs.stat(fs.root), "EIO");
    await fs.close();
  });

  it.each([
    ["ends of base64", `ok ${"=".repeat(20_000_000)}x =\n`],
    ["names", `ok ${"AAAA".repeat(4_000_000)}= =\n`],
  ])("takes no time for a listing of nothing but %s", async (_, answer) => {
    const output = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes(answer);
    };
    const fs = new ExecFiles(lying(output()));
    const listed = fs.list(fs.root, 0, 10).then(
      ({ entries }) => entries,
      () => [],
    );
    expect(await listed).toEqual([]);
    await fs.close();
  });

  it("fails with ETIMEDOUT when the sandbox does not start its script", async () => {
    const fs = new ExecFiles({ cwd: "/", spawn: () => new Promise(() => undefined) }, 10);
    await expectErrno(fs.stat(fs.root), "ETIMEDOUT");
  });

  it("asks once for a directory and all that is in it, while nothing changes", async () => {
    await withFiles(async ({ path }) => {
      let calls = 0;
      const host = hostProcesses(path, "bash");
      const fs = new ExecFiles({
        cwd: path,
        spawn: async (argv, options) => {
          const process = await host.spawn(argv, options);
          const writeInput = (line: Uint8Array): Promise<void> => {
            calls += 1;
            return process.writeInput(line);
          };
          return { ...process, writeInput };
        },
      });
      for (let i = 0; i < 20; i++) await writeFile(join(path, `file-${i}`), "x".repeat(i));
      const look = async (): Promise<number[]> => {
        const sizes: number[] = [];
        for (const { name } of (await fs.list(fs.root, 0, 100)).entries) {
          const file = await fs.lookup(fs.root, name);
          sizes.push(file === undefined ? -1 : (await fs.stat(file)).size);
        }
        return sizes.toSorted((one, other) => one - other);
      };
      expect(await look()).toEqual(Array.from({ length: 20 }, (_, i) => i));
      expect(calls).toBe(1);
      await writeFile(join(path, "file-0"), "x".repeat(20));
      fs.expire();
      expect(await look()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect(calls).toBe(2);
      await fs.unlink({ directory: fs.root, name: "file-1" });
      expect((await look()).length).toBe(19);
      await fs.close();
    });
  });

  it("fails with ETIMEDOUT when the sandbox does not answer", async () => {
    const output = async function* (): AsyncGenerator<Uint8Array> {
      await new Promise(() => undefined);
      yield bytes("");
    };
    const fs = new ExecFiles(lying(output()), 10);
    await expectErrno(fs.stat(fs.root), "ETIMEDOUT");
  });
});
