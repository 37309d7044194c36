import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bytes, newFile } from "../../../contract/file-system/setup.ts";
import { FarWorkspace } from "../../../support/far-workspace.ts";

const { signal } = new AbortController();

/** Everything below a directory, as `find` sees it; links of one file have one number. */
function tree(path: string): string[] {
  const format = "%P %y %m %s %T@ %l %n\n";
  const lines = execFileSync("find", [path, "-mindepth", "1", "-printf", format]).toString();
  // Sizes of directories are the disk's business; times are kept to the microsecond.
  return lines
    .split("\n")
    .map((line) => line.replace(/( d \d+) \d+/, "$1").replace(/(\.\d{6})\d*/, "$1"))
    .toSorted();
}

function fill(path: string): void {
  mkdirSync(join(path, "src/deep"), { recursive: true });
  mkdirSync(join(path, "empty"));
  writeFileSync(join(path, "src/a.c"), "int main() {}\n");
  writeFileSync(join(path, "src/deep/big"), Buffer.alloc(1_000_003, "0123456789"));
  writeFileSync(join(path, "-rf *\n$(id)"), "odd");
  writeFileSync(join(path, `${"n".repeat(250)}`), "long");
  mkdirSync(join(path, "d".repeat(200), "e".repeat(200)), { recursive: true });
  writeFileSync(join(path, "d".repeat(200), "e".repeat(200), "f".repeat(200)), "longer");
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xff, 0x41])]), "bytes");
  writeFileSync(join(path, "run"), "#!/bin/sh\n");
  chmodSync(join(path, "run"), 0o755);
  chmodSync(join(path, "src/a.c"), 0o640);
  utimesSync(join(path, "src/a.c"), 1_000_000_000.123456, 1_000_000_000.123456);
  symlinkSync("../nowhere", join(path, "src/link"));
  symlinkSync(`/${"t".repeat(300)}`, join(path, "long-link"));
  linkSync(join(path, "run"), join(path, "run-too"));
}

describe("files that follow a sandbox", () => {
  it("are there as they were here, and here again as they were there", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    fill(homePath);
    const before = tree(homePath);
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    expect(tree(farPath)).toEqual(before);
    expect(moving.files.files).toBe(sandbox.files);
    writeFileSync(join(farPath, "src/made"), "made there");
    appendTo(join(farPath, "src/a.c"), "// more\n");
    rmSync(join(farPath, "empty"), { recursive: true });
    rmSync(join(farPath, "src/deep"), { recursive: true });
    writeFileSync(join(farPath, "src/deep"), "a file by now");
    linkSync(join(farPath, "src/a.c"), join(farPath, "second"));
    const there = tree(farPath);
    expect(await moving.comeHome(sandbox, signal)).toBeUndefined();
    expect(tree(homePath)).toEqual(there);
    expect(moving.files.files).toBe(workspace.home);
    expect(readdirSync(homePath).filter((name) => name.startsWith(".agentos"))).toEqual([]);
  });

  it("bring a sandbox that runs again what changed meanwhile, and nothing else", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    fill(homePath);
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    await moving.comeHome(sandbox, signal);
    writeFileSync(join(homePath, "src/a.c"), "changed\n");
    rmSync(join(homePath, "run"));
    mkdirSync(join(homePath, "new"));
    const big = lstatSync(join(farPath, "src/deep/big"));
    await moving.follow(sandbox, signal);
    expect(tree(farPath).filter((line) => !line.startsWith("run-too"))).toEqual(
      tree(homePath).filter((line) => !line.startsWith("run-too")),
    );
    expect(lstatSync(join(farPath, "src/deep/big")).ino).toBe(big.ino);
    expect(lstatSync(join(farPath, "src/deep/big")).ctimeMs).toBe(big.ctimeMs);
  });

  it("are all brought to a sandbox that is new", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    fill(homePath);
    await moving.follow(workspace.sandbox(), signal);
    await moving.comeHome(workspace.sandbox(), signal);
    moving.files.moveAtOnce(workspace.home);
    for (const name of readdirSync(farPath, { encoding: "buffer" }))
      rmSync(Buffer.concat([Buffer.from(`${farPath}/`), name]), { recursive: true });
    await moving.follow(workspace.sandbox(), signal);
    expect(tree(farPath)).toEqual(tree(homePath));
  });

  it("cost nothing where there are none", async () => {
    const workspace = await FarWorkspace.open();
    const sandbox = workspace.sandbox();
    let spawns = 0;
    const spawn = sandbox.spawn.bind(sandbox);
    sandbox.spawn = (argv, options) => {
      spawns += 1;
      return spawn(argv, options);
    };
    await workspace.moving.follow(sandbox, signal);
    expect(spawns).toBe(0);
  });

  it("are carried when all is quiet, once, and now and then while something runs", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    const ranAtMs = workspace.nowMs + 1000;
    writeFileSync(join(farPath, "result"), "1");
    const save = (nowMs: number, isBusy = false) =>
      moving.save(sandbox, { nowMs, lastUseMs: ranAtMs, isBusy });
    await save(ranAtMs + 1000);
    expect(existsSync(join(homePath, "result"))).toBe(false);
    await save(ranAtMs + 2000);
    expect(readFileSync(join(homePath, "result"), "utf8")).toBe("1");
    writeFileSync(join(farPath, "result"), "22");
    await save(ranAtMs + 9000);
    expect(readFileSync(join(homePath, "result"), "utf8")).toBe("1");
    await save(ranAtMs + 100_000, true);
    expect(readFileSync(join(homePath, "result"), "utf8")).toBe("22");
    await moving.files.create({ directory: moving.files.root, name: "by VM" }, newFile("file"));
    await save(ranAtMs + 110_000);
    expect(existsSync(join(homePath, "by VM"))).toBe(true);
    expect(workspace.records.of("one").map(({ kind, facts }) => [kind, facts["files"]])).toEqual([
      ["files carried", 1],
      ["files carried", 1],
      ["files carried", 1],
    ]);
  });

  it("that a lost sandbox had are those that were carried last, and it says so", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    writeFileSync(join(homePath, "kept"), "1");
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    const file = await moving.files.lookup(moving.files.root, "kept");
    if (file === undefined) throw new Error("not found");
    await moving.files.write(file, bytes("lost"), 0);
    expect(readFileSync(join(farPath, "kept"), "utf8")).toBe("lost");
    sandbox.lose("gone");
    expect(moving.abandon(sandbox)).toMatch(
      /^In \/sandbox, files are as they were at \d{4}-\d\d-\d\dT/,
    );
    const into = new Uint8Array(10);
    expect(await moving.files.read(file, into, 0)).toBe(1);
    expect(await moving.comeHome(sandbox, signal)).toBeUndefined();
  });

  it("that cannot be carried back are named, and the others come", async () => {
    const workspace = await FarWorkspace.open(200_000);
    const { homePath, farPath, moving } = workspace;
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    writeFileSync(join(farPath, "a-big"), Buffer.alloc(300_000));
    writeFileSync(join(farPath, "small"), "small");
    symlinkSync("small", join(farPath, "z-link"));
    const left = await moving.comeHome(sandbox, signal);
    expect(left).toMatch(/^1 files could not be carried back \(a-big: a VM adds at most 200000/);
    expect(readdirSync(homePath).toSorted()).toEqual(["small", "z-link"]);
    expect(readlinkSync(join(homePath, "z-link"))).toBe("small");
    expect(workspace.records.of("one").at(-1)?.kind).toBe("files not carried");
    // They are still there, and tried again.
    sandbox.isRunning = true;
    await moving.follow(sandbox, signal);
    expect(existsSync(join(farPath, "a-big"))).toBe(true);
    writeFileSync(join(farPath, "a-big"), "less");
    expect(await moving.comeHome(sandbox, signal)).toBeUndefined();
    expect(readFileSync(join(homePath, "a-big"), "utf8")).toBe("less");
  });

  it("do not hold up the end of a sandbox that does not answer", async () => {
    const workspace = await FarWorkspace.open();
    const { moving } = workspace;
    const sandbox = workspace.sandbox();
    await moving.follow(sandbox, signal);
    const abort = new AbortController();
    sandbox.spawn = async () => ({
      id: "1",
      output: (async function* () {
        abort.abort(new Error("the VM is gone"));
        await new Promise(() => undefined);
        yield new Uint8Array(0);
      })(),
      errors: (async function* () {})(),
      ended: new Promise(() => undefined),
      writeInput: async () => undefined,
      closeInput: async () => undefined,
      resize: async () => undefined,
      kill: async () => undefined,
    });
    const coming = moving.comeHome(sandbox, abort.signal);
    expect(await coming).toMatch(/^its files could not be carried back \(the VM is gone\); files/);
    expect(moving.files.files).toBe(workspace.home);
  });

  it("stay when they cannot follow", async () => {
    const workspace = await FarWorkspace.open();
    const { homePath, farPath, moving } = workspace;
    writeFileSync(join(homePath, "file"), "x");
    rmSync(farPath, { recursive: true });
    writeFileSync(farPath, "no directory");
    const following = moving.follow(workspace.sandbox(), signal);
    await expect(following).rejects.toThrow("The VM's files do not get to the sandbox: ");
    expect(moving.files.files).toBe(workspace.home);
  });
});

function appendTo(path: string, text: string): void {
  writeFileSync(path, text, { flag: "a" });
}
