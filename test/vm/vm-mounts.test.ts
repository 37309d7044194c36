import { execFileSync } from "node:child_process";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KernelError } from "../../src/kernel/abi/kernel-error.ts";
import { MemoryFileSystem } from "../../src/kernel/filesystems/memory-file-system.ts";
import type { HostCommand } from "../../src/toolkit-cli/index.ts";
import { Disk } from "../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../src/vm/broker/folders/host-folder.ts";
import type { Vm, VmOptions } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

const vms = new built.Vms({ poolSize: 1 });
const disk = new Disk();
let path: string;
let fileSystem: HostFolder;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), "vm-mounts-"));
  fileSystem = await HostFolder.open(disk, { path, limitBytes: 2 ** 30 });
});

afterAll(async () => {
  await vms.close();
  await fileSystem.close();
  await disk.close();
  await rm(path, { recursive: true });
});

async function run(vm: Vm, command: string): Promise<string> {
  const { stdout, stderr, exitCode } = await vm.exec(command);
  return `${String(stdout)}${String(stderr)}${exitCode === 0 ? "" : `[${exitCode}]`}`;
}

async function makeVm(options: VmOptions = {}): Promise<Vm> {
  return vms.create({ mounts: [{ at: "/mnt/shared", fileSystem }], ...options });
}

describe("a VM with a mount of the server's", () => {
  let vm: Vm;
  beforeAll(async () => {
    vm = await makeVm();
  });

  it("is seen at a second place, as one file system", async () => {
    const vm = await makeVm({
      mounts: [{ at: "/mnt/shared", alsoAt: "/second", fileSystem }],
    });
    const line =
      "echo one > /mnt/shared/two-places; cat /second/two-places; mv /second/two-places /mnt/shared/moved; ls /second/moved; " +
      "cd /second; rm moved; pwd; stat -c %i /second /mnt/shared | uniq | wc -l";
    expect(await run(vm, line)).toBe("one\n/second/moved\n/second\n1\n");
    await vm.destroy();
  });

  it("reads and writes the host's files, with their modes, times and links", async () => {
    await writeFile(join(path, "from-host"), "hello\n", { mode: 0o640 });
    await symlink("from-host", join(path, "link"));
    expect(await run(vm, "cat /mnt/shared/link; stat -c '%a %U %h' /mnt/shared/from-host")).toBe(
      "hello\n640 user 1\n",
    );
    const made =
      "cd /mnt/shared && mkdir -p a/b && echo made > a/b/c && chmod 755 a/b/c && ln a/b/c hard && touch -d @86400 hard && mv a z";
    expect(await run(vm, made)).toBe("");
    expect(await readFile(join(path, "z/b/c"), "utf8")).toBe("made\n");
    const { mode, nlink, mtimeMs } = await stat(join(path, "hard"));
    expect([mode & 0o777, nlink, mtimeMs]).toEqual([0o755, 2, 86_400_000]);
    expect(await run(vm, "rm -r /mnt/shared/* && ls -A /mnt/shared")).toBe("");
    expect(execFileSync("ls", ["-A", path]).toString()).toBe("");
  });

  it("follows links in its own tree, not in the host's", async () => {
    await symlink("/etc/hostname", join(path, "out"));
    await symlink("/etc", join(path, "etc"));
    const own = await run(vm, "cat /etc/hostname");
    expect(own).not.toBe(await readFile("/etc/hostname", "utf8"));
    expect(await run(vm, "cat /mnt/shared/out /mnt/shared/etc/hostname")).toBe(`${own}${own}`);
    await run(vm, "rm /mnt/shared/out /mnt/shared/etc");
  });

  it("sees at once what the host has changed before a command", async () => {
    await writeFile(join(path, "file"), "one\n");
    expect(await run(vm, "cat /mnt/shared/file")).toBe("one\n");
    await writeFile(join(path, "file"), "three\n");
    expect(await run(vm, "cat /mnt/shared/file; stat -c %s /mnt/shared/file")).toBe("three\n6\n");
    await rm(join(path, "file"));
    expect(await run(vm, "cat /mnt/shared/file")).toBe(
      "cat: /mnt/shared/file: No such file or directory\n[1]",
    );
  });

  it("carries megabytes both ways without change", async () => {
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 31) & 0xff));
    await writeFile(join(path, "big"), content);
    expect(await run(vm, "cp /mnt/shared/big /tmp/big && cp /tmp/big /mnt/shared/copy")).toBe("");
    expect((await readFile(join(path, "copy"))).equals(content)).toBe(true);
    const script =
      "const b=require('fs').readFileSync('/mnt/shared/big');console.log(b.length, b[2999999])";
    expect(await run(vm, `node -e "${script}"`)).toBe(`3000000 ${content[2_999_999]}\n`);
    await run(vm, "rm /mnt/shared/*");
  });

  it("tells watchers what the host changes", async () => {
    await mkdir(join(path, "watched"));
    const events = vm.watch("/mnt/shared/watched")[Symbol.asyncIterator]();
    let seen: string | undefined;
    const first = events.next().then(({ value }) => {
      seen = value?.path;
    });
    for (let round = 0; seen === undefined && round < 200; round++) {
      await appendFile(join(path, "watched/file"), "x");
      await Promise.race([first, run(vm, "true")]);
    }
    expect(seen).toBe("/mnt/shared/watched/file");
    await events.return?.();
    await rm(join(path, "watched"), { recursive: true });
  }, 30_000);
});

describe("a VM with a mount and a command of the host's", () => {
  it("sees in the same line what the command has changed, and the command what the VM wrote", async () => {
    const change: HostCommand = {
      name: "change",
      description: "Change the shared file",
      run: async ({ writeOut }) => {
        await writeOut(await readFile(join(path, "line")));
        await writeFile(join(path, "line"), "changed by the host\n");
        return 0;
      },
    };
    const vm = await makeVm({ commands: [change] });
    const line = "cd /mnt/shared; echo first > line; cat line; change; cat line; stat -c %s line";
    expect(await run(vm, line)).toBe("first\nfirst\nchanged by the host\n20\n");
    await vm.destroy();
  });
});

describe("the policy of a VM with a mount", () => {
  it("holds for what is mounted", async () => {
    await mkdir(join(path, "secret"));
    await writeFile(join(path, "secret/key"), "key");
    await writeFile(join(path, "open"), "open\n");
    const vm = await makeVm({
      permissions: {
        fs: { default: "allow", rules: [{ mode: "deny", paths: ["/mnt/shared/secret/**"] }] },
      },
    });
    expect(await run(vm, "cat /mnt/shared/open")).toBe("open\n");
    expect(await run(vm, "cat /mnt/shared/secret/key")).toContain("Permission denied");
    expect(await run(vm, "echo x > /mnt/shared/secret/new")).toContain("Permission denied");
    await vm.destroy();
    await rm(join(path, "secret"), { recursive: true });
  });
});

describe("a mount that does not do its work", () => {
  let memory: MemoryFileSystem;
  beforeEach(() => {
    memory = new MemoryFileSystem({ now: () => Date.now() });
  });

  it("is read-only where it is said to be", async () => {
    const vm = await vms.create({ mounts: [{ at: "/ro", fileSystem: memory, isReadOnly: true }] });
    expect(await run(vm, "touch /ro/file")).toContain("Read-only file system");
    await vm.destroy();
  });

  it("fails with an errno, in time, and the VM goes on", async () => {
    const hanging = Object.assign(new MemoryFileSystem({ now: () => Date.now() }), {
      lookup: () => new Promise<never>(() => undefined),
    });
    const failing = Object.assign(memory, {
      lookup: async () => Promise.reject(new Error("/home/operator/.ssh is not there")),
      statFs: async () => Promise.reject(new KernelError("ENOSPC")),
    });
    const vm = await vms.create({
      mounts: [
        { at: "/hanging", fileSystem: hanging, timeoutMs: 50 },
        { at: "/failing", fileSystem: failing },
      ],
    });
    expect(await run(vm, "cat /hanging/x")).toBe("cat: /hanging/x: Connection timed out\n[1]");
    expect(await run(vm, "cat /failing/x")).toBe("cat: /failing/x: Input/output error\n[1]");
    expect(await run(vm, "echo alive")).toBe("alive\n");
    await vm.destroy();
  });

  it("is refused where nothing can be mounted, and where it is none", async () => {
    const wrong: [string, string][] = [
      ["/proc/x", "nothing can be mounted at /proc/x"],
      ["/a/../b", '"at" is an absolute path'],
      ["/", '"at" is an absolute path'],
      ["/etc/passwd", "nothing can be mounted there"],
    ];
    for (const [at, problem] of wrong) {
      const made = vms.create({ mounts: [{ at, fileSystem: memory }] });
      await expect(made, at).rejects.toThrow(problem);
    }
  });
});
