import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Vm, VmOptions, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";
import { TestFolder } from "../support/test-folder.ts";
import { notUnix, unless } from "../support/unless.ts";

let vms: Vms;
const logged: string[] = [];
const folders: TestFolder[] = [];

beforeAll(() => {
  vms = new built.Vms({ poolSize: 1, log: (line) => logged.push(line) });
});

afterEach(async () => {
  await Promise.all(vms.list().map((vm) => vm.destroy()));
  for (const folder of folders.splice(0)) folder.remove();
  logged.splice(0);
});

afterAll(() => vms.close());

function folderOf(tree: ConstructorParameters<typeof TestFolder>[0]): TestFolder {
  const folder = new TestFolder(tree);
  folders.push(folder);
  return folder;
}

/** A VM with a folder at /sw. */
async function vmWith(
  given: TestFolder | ConstructorParameters<typeof TestFolder>[0],
  options: VmOptions = {},
): Promise<{ readonly vm: Vm; readonly folder: TestFolder }> {
  const folder = given instanceof TestFolder ? given : folderOf(given);
  const vm = await vms.create({ ...options, software: [{ path: folder.path, at: "/sw" }] });
  return { vm, folder };
}

async function run(vm: Vm, command: string): Promise<string> {
  const { stdout, stderr } = await vm.exec(command);
  return stdout + stderr;
}

describe("software in a VM", () => {
  it("can be listed, read and run, by several VMs at once", async () => {
    const folder = folderOf({
      "lib/data": "hello\n",
      "bin/greet": '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/data"\n',
    });
    chmodSync(join(folder.path, "bin/greet"), 0o700);
    const { vm } = await vmWith(folder);
    const other = await vms.create({ software: [{ path: folder.path, at: "/usr/lib/deep/er" }] });
    expect(await run(vm, "cat /sw/lib/data; ls /sw; /sw/bin/greet")).toBe(
      "hello\nbin\nlib\nhello\n",
    );
    expect(await run(other, "cd /usr/lib/deep/er/lib && cat data; greet; which greet")).toBe(
      "hello\nhello\n/usr/local/bin/greet\n",
    );
    expect(new TextDecoder().decode(await vm.files.read("/sw/lib/data"))).toBe("hello\n");
  });

  it("cannot be changed, not even by root", async () => {
    const { vm } = await vmWith({ "d/f": "1" });
    const words = "Read-only file system";
    expect(await run(vm, "sudo rm /sw/d/f")).toContain(words);
    expect(await run(vm, "sudo touch /sw/new")).toContain(words);
    expect(await run(vm, "sudo chmod 777 /sw/d/f")).toContain(words);
    expect(await run(vm, "sudo sh -c 'echo 2 >> /sw/d/f'")).toContain(words);
    expect(await run(vm, "sudo mv /sw/d /sw/e")).toContain(words);
    expect(await run(vm, "cat /sw/d/f")).toBe("1");
  });

  it("passes links on: what leaves the folder stays in the VM", async () => {
    const folder = folderOf({
      "d/in": { link: "../f" },
      f: "inside\n",
      out: { link: "/etc/hostname" },
      up: { link: "../../../../../../etc/os-release" },
      host: { link: "/work-of-the-host/secret" },
    });
    folder.add({ self: { link: folder.path } });
    const { vm } = await vmWith(folder);
    expect(await run(vm, "cat /sw/d/in /sw/out; grep ^ID /sw/up")).toBe(
      "inside\nagentos\nID=agentos\n",
    );
    expect(await run(vm, "cat /sw/host")).toBe("cat: /sw/host: No such file or directory\n");
    expect(await run(vm, "ls /sw/self/")).toContain("No such file or directory");
  });

  it("opens no special file", unless(notUnix), async () => {
    const folder = folderOf({ f: "" });
    folder.addFifo("fifo");
    const { vm } = await vmWith(folder);
    expect(await run(vm, "cat /sw/fifo")).toBe("cat: /sw/fifo: Permission denied\n");
    expect(await run(vm, "sudo cat /sw/fifo")).toContain("No such device or address");
    expect(await run(vm, "stat -c '%A %U' /sw/fifo")).toBe("c--------- root\n");
  });

  it("is never stale: what the host adds, changes and removes is seen by the next command", async () => {
    const { vm, folder } = await vmWith({ "d/f": "1", "d/gone": "2", "d/same": "=" });
    expect(await run(vm, "cat /sw/d/*; ls /sw/d")).toBe("12=f\ngone\nsame\n");
    folder.add({ "d/f": "one", "d/new": "3" });
    rmSync(join(folder.path, "d/gone"));
    expect(await run(vm, "cat /sw/d/*; ls /sw/d")).toBe("one3=f\nnew\nsame\n");
    rmSync(join(folder.path, "d"), { recursive: true });
    expect(await run(vm, "cat /sw/d/f")).toBe("cat: /sw/d/f: No such file or directory\n");
  });

  it("goes on when the host removes it", async () => {
    const { vm, folder } = await vmWith({ "seen/f": "1", "unseen/f": "2" });
    await run(vm, "cat /sw/seen/f; ls /sw");
    folder.remove();
    expect(await run(vm, "cat /sw/seen/f")).toBe("cat: /sw/seen/f: No such file or directory\n");
    expect(await run(vm, "ls /sw/unseen")).toContain("No such file or directory");
    expect(await run(vm, "echo fine")).toBe("fine\n");
  });

  it("is under the VM's rules", async () => {
    const rules = [{ mode: "deny", operations: ["read"], paths: ["/sw/secret/**"] }] as const;
    const permissions = { fs: { default: "allow", rules } } as const;
    const { vm } = await vmWith({ "secret/key": "s", open: "o" }, { permissions });
    expect(await run(vm, "cat /sw/open")).toBe("o");
    expect(await run(vm, "cat /sw/secret/key")).toContain("Permission denied");
    await expect(vm.files.read("/sw/secret/key")).rejects.toMatchObject({ errno: "EACCES" });
  });

  it("holds many files and large ones", async () => {
    const folder = folderOf({ f: "" });
    mkdirSync(join(folder.path, "many"));
    for (let i = 0; i < 1500; i++) writeFileSync(join(folder.path, "many", `file-${i}`), "");
    const large = Buffer.alloc(5_000_000, "0123456789");
    writeFileSync(join(folder.path, "large"), large);
    const { vm } = await vmWith(folder);
    expect(await run(vm, "ls /sw/many | wc -l; ls /sw/many/none")).toContain("1500\n");
    const sum = "sha256sum < /sw/large; head -c 10 /sw/large; tail -c 3 /sw/large";
    const expected = createHash("sha256").update(large).digest("hex");
    expect(await run(vm, sum)).toBe(`${expected}  -\n0123456789789`);
  });
});

describe("where software is put", () => {
  it("offers packages at /node_modules and programs on the PATH, and shadows nothing", async () => {
    const tools = folderOf({
      "node_modules/left/index.js": "left",
      "node_modules/.bin/left": { link: "../left/cli" },
      "node_modules/left/cli": "#!/bin/sh\necho left\n",
      "bin/ls": "#!/bin/sh\necho not ls\n",
      "bin/readme.txt": "no program",
    });
    for (const program of ["bin/ls", "node_modules/left/cli"]) {
      chmodSync(join(tools.path, program), 0o755);
    }
    const more = folderOf({ "node_modules/right/index.js": "right" });
    const vm = await vms.create({ software: [tools.path, join(more.path, "node_modules")] });
    expect(await run(vm, "cat /node_modules/right/index.js; left; ls -d /tmp")).toBe(
      "rightleft\n/tmp\n",
    );
    expect(await run(vm, "ls /usr/local/bin; ls /opt/software")).toBe(
      `agentos\nleft\n${tools.path.split("/").at(-1)}\n`,
    );
    const alone = await vms.create({ software: [tools.path] });
    expect(await run(alone, "cat /node_modules/left/index.js")).toBe("left");
  });

  it("comes beside what every VM gets", async () => {
    const one = folderOf({ one: "1" });
    const two = folderOf({ two: "2" });
    const own = new built.Vms({
      poolSize: 0,
      defaults: { software: [{ path: one.path, at: "/one" }] },
    });
    try {
      const vm = await own.create({ software: [{ path: two.path, at: "/two" }] });
      expect(await run(vm, "cat /one/one /two/two")).toBe("12");
    } finally {
      await own.close();
    }
  });
});

describe("software that cannot be had", () => {
  const create = (path: string, at = "/sw") => vms.create({ software: [{ path, at }] });

  it("is refused with what is wrong, and without the host's path", async () => {
    const folder = folderOf({ file: "" });
    await expect(create(join(folder.path, "none"))).rejects.toMatchObject({
      code: "SOFTWARE_UNAVAILABLE",
      message: "The software for /sw cannot be mounted: it does not exist.",
    });
    await expect(create(join(folder.path, "file"))).rejects.toMatchObject({
      message: "The software for /sw cannot be mounted: it is not a directory.",
    });
    await expect(create(folder.path, "/etc/passwd")).rejects.toMatchObject({
      code: "SOFTWARE_UNAVAILABLE",
      message:
        "The software for /etc/passwd cannot be mounted: nothing can be mounted there (ENOTDIR).",
    });
    await expect(create("tools")).rejects.toMatchObject({ code: "VM_OPTIONS_INVALID" });
    expect(vms.list()).toEqual([]);
  });

  it("is looked at again when the VM starts anew", async () => {
    const { vm, folder } = await vmWith({ f: "1" });
    rmSync(folder.path, { recursive: true });
    const { cellPid } = vm.info();
    const lost = new Promise((resolve) => vm.on("lost", resolve));
    process.kill(cellPid ?? 0, "SIGKILL");
    await lost;
    await expect(vm.exec("true")).rejects.toMatchObject({ code: "SOFTWARE_UNAVAILABLE" });
    mkdirSync(folder.path);
    writeFileSync(join(folder.path, "f"), "2");
    expect(await run(vm, "cat /sw/f")).toBe("2");
  });
});
