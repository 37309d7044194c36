// What a healthy VM can be asked for and a frame cannot hold: it comes in parts, and the VM lives.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

let vms: Vms;
let vm: Vm;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ name: "large" });
});

afterAll(async () => {
  expect(vm.info().restarts).toBe(0);
  await vms.close();
});

/** Node writes names of 255 characters, each of which JSON escapes with six. */
const CONTROL = String.fromCharCode(1);

describe("a VM that is asked for much", () => {
  it("lists a directory whose names are longer on the wire than a message", async () => {
    await vm.exec("mkdir /tmp/names");
    const { exitCode, stderr } = await vm.run(
      `for (let i = 0; i < 700; i++)
         require("fs").writeFileSync("/tmp/names/" + "\\x01".repeat(250) + String(i).padStart(4, "0"), "");`,
    );
    expect([exitCode, stderr]).toEqual([0, ""]);
    const names = (await vm.files.list("/tmp/names")).map(({ name }) => name);
    expect(new Set(names).size).toBe(700);
    expect(names.every((name) => name.startsWith(CONTROL.repeat(250)))).toBe(true);
  });

  it("lists processes whose command lines are longer than a message", async () => {
    const word = "$'\\x01'".repeat(400);
    const exec = await vm.spawn(
      `for i in $(seq 110); do bash -c 'sleep 1000; :' ${word} & done; echo made; wait`,
    );
    await new Promise<void>((resolve) => exec.onOutput(() => resolve()));
    const listed = await vm.processes();
    expect(listed.length).toBeGreaterThan(100);
    await exec.stop();
  });

  it("tells its decisions, however long what they are about", async () => {
    const rules = [{ mode: "deny", paths: ["/tmp/no/**"] }] as const;
    const permissions = { fs: { default: "allow", rules } } as const;
    const guarded = await vms.create({ name: "guarded", permissions });
    const path = `/tmp/no/${Array.from({ length: 15 }, () => CONTROL.repeat(250)).join("/")}/file`;
    await guarded.files.write(path, "", { createParents: true });
    const { stdout } = await guarded.run(
      `const fs = require("fs");
       let denied = 0;
       for (let i = 0; i < 400; i++)
         try { fs.readFileSync(${JSON.stringify(path)}); } catch (error) { denied += error.code === "EACCES" ? 1 : 0; }
       console.log(denied);`,
    );
    expect(stdout).toBe("400\n");
    const records = await guarded.audit(0, 10_000);
    expect(records.filter(({ outcome }) => outcome === "deny").length).toBe(400);
    expect(guarded.info().restarts).toBe(0);
  });

  it("runs commands that are longer together than what may wait for a cell", async () => {
    const comment = "x".repeat(990_000);
    const runs = Array.from({ length: 100 }, (_, at) => vm.exec(`echo ${at} # ${comment}`));
    const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout);
    expect(outputs).toEqual(Array.from({ length: 100 }, (_, at) => `${at}\n`));
  });

  it("answers any number of reads at once", async () => {
    await vm.exec("head -c 8000000 /dev/zero > /tmp/zeros");
    const reads = Array.from({ length: 40 }, () => vm.files.read("/tmp/zeros"));
    const sizes = (await Promise.all(reads)).map(({ length }) => length);
    expect(new Set(sizes)).toEqual(new Set([8_000_000]));
  });

  it("tells of changes below a long path, as many as there are", async () => {
    const deep = `/tmp/${Array.from({ length: 15 }, () => CONTROL.repeat(250)).join("/")}`;
    await vm.files.makeDirectory(deep, { recursive: true });
    const paths = new Set<string>();
    const watching = (async () => {
      for await (const { path, type } of vm.watch(deep)) {
        if (type === "create") paths.add(path);
        if (path.endsWith("/last")) break;
      }
    })();
    while (paths.size === 0) await vm.files.write(`${deep}/first${Math.random()}`, "");
    const before = paths.size;
    await vm.run(
      `const fs = require("fs"); process.chdir(${JSON.stringify(deep)});
       for (let i = 0; i < 300; i++) fs.writeFileSync("made" + i, "");
       fs.writeFileSync("last", "");`,
    );
    await watching;
    expect(paths.size).toBeGreaterThan(before + 300);
  });
});
