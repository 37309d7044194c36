import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { bundledEntries } from "../../scripts/bundled-entries.mjs";
import { projectRoot } from "../../scripts/find-command.mjs";
import { withTemporaryDirectory } from "./temporary-directory.ts";

const startCell = `import { one } from "../one.ts";
export async function warmCell(): Promise<number> {
  return one;
}
`;

/** A checkout of its own, with two source files. */
class Checkout {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
    const prebuilt = "native/guest-binding/prebuilt";
    for (const name of [
      "package.json",
      "tsconfig.json",
      "tsconfig.build.json",
      "scripts",
      prebuilt,
    ]) {
      cpSync(join(projectRoot, name), join(root, name), { recursive: true });
    }
    symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
    for (const entry of bundledEntries) this.write(`src/${entry}.ts`, "export {};\n");
    this.write("src/vm/index.ts", 'export { one } from "./one.ts";\n');
    this.write("src/vm/one.ts", "export const one: number = 1;\n");
    for (const name of ["load-cell", "main"]) {
      const file = `src/vm/cell/${name}.ts`;
      cpSync(join(projectRoot, file), join(root, file), { recursive: true });
    }
    this.write("src/vm/cell/start-cell.ts", startCell);
    this.write("src/vm/node/guest.ts", 'Reflect.set(globalThis, "__guest", {});\n');
    this.write("src/vm/node/rehearsal.ts", "export {};\n");
  }

  write(file: string, content: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), content);
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }

  /** What the library exports now; each build is imported anew. */
  async importOne(): Promise<number> {
    const file = pathToFileURL(join(this.root, "dist/vm/index.js"));
    file.search = this.read("dist/build-id").trim();
    const { one }: { one: number } = await import(file.href);
    return one;
  }

  built(): string[] {
    return readdirSync(join(this.root, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => /^vm\/|^build-id/.test(file))
      .sort();
  }

  async ensureDist(): Promise<{ stdout: string; stderr: string }> {
    const script = join(this.root, "scripts/ensure-dist.mjs");
    return promisify(execFile)(process.execPath, [script], { timeout: 30_000 });
  }
}

const inCheckout = (work: (checkout: Checkout) => Promise<void>) => () =>
  withTemporaryDirectory((directory) => work(new Checkout(directory)));

describe("ensureDist", () => {
  it(
    "builds what is missing, quietly",
    inCheckout(async (checkout) => {
      expect(await checkout.ensureDist()).toEqual({ stdout: "", stderr: "" });
      expect(checkout.built()).toEqual([
        "build-id",
        "vm/broker",
        "vm/broker/folders",
        "vm/broker/folders/disk-thread.d.ts",
        "vm/broker/folders/disk-thread.js",
        "vm/cell",
        "vm/cell/cell.cjs",
        "vm/cell/cell.cjs.cache",
        "vm/cell/load-cell.d.ts",
        "vm/cell/load-cell.js",
        "vm/cell/main.cjs",
        "vm/cell/main.d.ts",
        "vm/cell/main.js",
        "vm/cell/start-cell.d.ts",
        "vm/cell/start-cell.js",
        "vm/host-error.d.ts",
        "vm/host-error.js",
        "vm/index.d.ts",
        "vm/index.js",
        "vm/node",
        "vm/node/guest.d.ts",
        "vm/node/guest.js",
        "vm/node/rehearsal.d.ts",
        "vm/node/rehearsal.js",
        "vm/one.d.ts",
        "vm/one.js",
      ]);
      expect(await checkout.importOne()).toBe(1);
      expect(checkout.read("dist/vm/cell/cell.cjs")).not.toContain('require(".');
      expect(checkout.read("dist/build-id")).toMatch(/^[0-9a-f]{64}\n$/);
    }),
  );

  it(
    "leaves a build alone that is up to date, and replaces only what changed",
    inCheckout(async (checkout) => {
      await checkout.ensureDist();
      const inode = (file: string): number => statSync(join(checkout.root, file)).ino;
      const inodes = (): number[] =>
        ["dist/vm/host-error.js", "dist/vm/index.js", "dist/vm/one.js", "dist/build-id"].map(inode);
      const before = inodes();
      const id = checkout.read("dist/build-id");
      await checkout.ensureDist();
      expect(inodes()).toEqual(before);

      checkout.write("src/vm/one.ts", "export const one: number = 2;\n");
      await checkout.ensureDist();
      expect(checkout.read("dist/vm/one.js")).toBe("export const one = 2;\n");
      expect(await checkout.importOne()).toBe(2);
      expect(inode("dist/vm/host-error.js")).toBe(before[0]);
      expect(checkout.read("dist/build-id")).not.toBe(id);

      checkout.write("src/vm/one.ts", "export const one: number = 1;\n");
      await checkout.ensureDist();
      expect(checkout.read("dist/build-id")).toBe(id);
    }),
  );

  it(
    "removes what has no source any more",
    inCheckout(async (checkout) => {
      await checkout.ensureDist();
      rmSync(join(checkout.root, "src/vm/one.ts"));
      checkout.write("src/vm/index.ts", "export const two: number = 2;\n");
      checkout.write("src/vm/cell/start-cell.ts", "export async function warmCell() {}\n");
      await checkout.ensureDist();
      expect(checkout.built().filter((file) => file.includes("one"))).toEqual([]);
    }),
  );

  it(
    "fails with the compiler's words where src does not parse, and keeps the last build",
    inCheckout(async (checkout) => {
      await checkout.ensureDist();
      const id = checkout.read("dist/build-id");
      checkout.write("src/vm/one.ts", "export const = ;\n");
      await expect(checkout.ensureDist()).rejects.toThrow(/src\/vm\/one\.ts\(1,14\): error TS1134/);
      expect(checkout.read("dist/vm/one.js")).toBe("export const one = 1;\n");
      expect(checkout.read("dist/build-id")).toBe(id);
    }),
  );

  it(
    "builds once and whole when several processes ask at the same time",
    inCheckout(async (checkout) => {
      const all = await Promise.all(Array.from({ length: 4 }, () => checkout.ensureDist()));
      expect(all).toEqual(Array.from({ length: 4 }, () => ({ stdout: "", stderr: "" })));
      expect(checkout.read("dist/vm/one.js")).toBe("export const one = 1;\n");
      expect(readdirSync(join(checkout.root, ".dist-build"))).toEqual(["stamp"]);
    }),
  );

  it(
    "takes over the lock of a process that died",
    inCheckout(async (checkout) => {
      const dead = promisify(execFile)(process.execPath, ["-e", ""]);
      await dead;
      checkout.write(".dist-build/lock", String(dead.child.pid));
      await checkout.ensureDist();
      expect(readdirSync(join(checkout.root, ".dist-build"))).toEqual(["stamp"]);
    }),
  );
});
