import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  FolderLister,
  openFolder,
  readPart,
} from "../../../../src/vm/broker/software/read-folder.ts";
import { decodePage, type FolderEntry } from "../../../../src/vm/wire/listing.ts";
import { HostFolder } from "../../../support/host-folder.ts";
import { notLinux, notRoot, notUnix, unless } from "../../../support/unless.ts";

let folder: HostFolder;
let outside: HostFolder;
let root: Uint8Array;

beforeEach(() => {
  folder = new HostFolder({ "a.txt": "hello\n", "d/e/f": "deep" });
  outside = new HostFolder({ secret: "secret", "e/f": "secret" });
  root = openFolder(folder.path);
});

afterEach(() => {
  folder.remove();
  outside.remove();
});

function list(path = ""): FolderEntry[] {
  const lister = new FolderLister();
  const entries: FolderEntry[] = [];
  for (let from = 0; ; ) {
    const { bytes, next } = lister.list(root, path, from);
    entries.push(...decodePage(bytes));
    if (next === undefined) return entries;
    from = next;
  }
}

function read(path: string, offset = 0, length = 100): string {
  return new TextDecoder().decode(readPart(root, path, offset, length).bytes);
}

/** Lets `d` be a directory, nothing, and a link that leads out, in turn. */
const swap = `
  const { renameSync } = require("node:fs");
  const { parentPort, workerData: root } = require("node:worker_threads");
  const move = (from, to) => renameSync(root + "/" + from, root + "/" + to);
  for (let i = 0; ; i++) {
    move("d", "real"); move("link", "d"); move("d", "link"); move("real", "d");
    if (i === 0) parentPort.postMessage("swapping");
  }
`;

function errnoOf(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error instanceof Error && "errno" in error ? error.errno : error;
  }
  return "none";
}

describe("reading a folder of the host", () => {
  it("reads parts of files, and says how they are", () => {
    expect(read("a.txt")).toBe("hello\n");
    expect(read("a.txt", 1, 3)).toBe("ell");
    expect(read("a.txt", 6)).toBe("");
    expect(read("a.txt", 2 ** 50)).toBe("");
    expect(read("d/e/f")).toBe("deep");
    const { sizeBytes, mtimeMs } = readPart(root, "a.txt", 0, 1);
    expect([sizeBytes, mtimeMs]).toEqual([6, statSync(join(folder.path, "a.txt")).mtimeMs]);
  });

  it("lists with attributes, sorted, links with where they lead", () => {
    folder.add({ "B/x": "", "link to": { link: "../../etc/passwd" } });
    chmodSync(join(folder.path, "a.txt"), 0o4751);
    expect(list().map(({ name, kind, mode, target }) => [name, kind, mode, target])).toEqual([
      ["B", "directory", 0o755, undefined],
      ["a.txt", "file", 0o755, undefined],
      ["d", "directory", 0o755, undefined],
      ["link to", "symlink", 0o777, "../../etc/passwd"],
    ]);
    expect(list("d/e").map(({ name, mode, size }) => [name, mode, size])).toEqual([
      ["f", 0o644, 4],
    ]);
  });

  it("follows no link, neither at the end nor on the way", () => {
    folder.add({
      "to-file": { link: join(outside.path, "secret") },
      "to-inside": { link: "a.txt" },
      "to-directory": { link: outside.path },
    });
    for (const path of ["to-file", "to-inside", "to-directory", "to-directory/secret"]) {
      expect([path, errnoOf(() => read(path))]).toEqual([path, "ESTALE"]);
      expect([path, errnoOf(() => list(path))]).toEqual([path, "ESTALE"]);
    }
    expect(errnoOf(() => list("to-directory/e"))).toBe("ESTALE");
  });

  it("reads nothing of the outside when a directory becomes a link under it", () => {
    renameSync(join(folder.path, "d"), join(folder.path, "was-d"));
    symlinkSync(outside.path, join(folder.path, "d"));
    expect(errnoOf(() => read("d/e/f"))).toBe("ESTALE");
    expect(errnoOf(() => list("d/e"))).toBe("ESTALE");
  });

  it(
    "reads nothing of the outside while somebody keeps swapping a directory for a link",
    unless(notLinux),
    async () => {
      symlinkSync(outside.path, join(folder.path, "link"));
      const swapping = new Worker(swap, { eval: true, workerData: folder.path });
      try {
        await once(swapping, "message");
        const seen = new Set<unknown>();
        for (let i = 0; i < 3000; i++) {
          const attempt = (): void => {
            seen.add(read("d/e/f"));
          };
          seen.add(errnoOf(attempt));
          seen.add(errnoOf(() => list("d/e").forEach(({ size }) => seen.add(size))));
        }
        // What is there, its size, or that it changed; never what lies outside, with its 6 bytes.
        const possible = new Set<unknown>(["deep", 4, "none", "ESTALE"]);
        expect([...seen].filter((one) => !possible.has(one))).toEqual([]);
      } finally {
        await swapping.terminate();
      }
    },
  );

  it("opens a folder that a link leads to, as what it is", () => {
    folder.add({ way: { link: outside.path } });
    root = openFolder(join(folder.path, "way"));
    expect(read("secret")).toBe("secret");
  });

  it("fails with ESTALE for what has gone, or has become something else", () => {
    rmSync(join(folder.path, "a.txt"));
    mkdirSync(join(folder.path, "a.txt"));
    expect(errnoOf(() => read("a.txt"))).toBe("ESTALE");
    expect(errnoOf(() => list("d/e/f"))).toBe("ESTALE");
    folder.remove();
    expect(errnoOf(() => read("d/e/f"))).toBe("ESTALE");
    expect(errnoOf(() => list())).toBe("ESTALE");
  });

  it("throws the host's error for a folder that is none", () => {
    expect(() => openFolder(join(folder.path, "none"))).toThrow("ENOENT");
    expect(() => openFolder(join(folder.path, "a.txt"))).toThrow("ENOTDIR");
  });

  it("reads sparse files and ends of files that are cut meanwhile", () => {
    truncateSync(join(folder.path, "a.txt"), 2 ** 42);
    const { bytes, sizeBytes } = readPart(root, "a.txt", 2 ** 41, 10);
    expect([bytes.length, sizeBytes]).toEqual([10, 2 ** 42]);
  });
});

describe("what only Unix has in a folder", unless(notUnix), () => {
  it("passes on names that are not UTF-8", () => {
    const path = Buffer.concat([Buffer.from(`${folder.path}/d/`), Buffer.of(0x66, 0xff, 0xc3)]);
    writeFileSync(path, "odd");
    expect(list("d").map(({ name }) => name)).toEqual(["e", "f\udcff\udcc3"]);
    expect(read("d/f\udcff\udcc3")).toBe("odd");
  });

  it("shows special files and opens none, FIFOs included", async () => {
    folder.addFifo("fifo");
    const server = createServer().listen(join(folder.path, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      const special = list().filter(({ kind }) => kind === "other");
      expect(special.map(({ name, mode, size }) => [name, mode, size])).toEqual([
        ["fifo", 0, 0],
        ["socket", 0, 0],
      ]);
      expect(errnoOf(() => read("fifo"))).toBe("EACCES");
      expect(errnoOf(() => read("socket"))).toBe("EACCES");
    } finally {
      server.close();
    }
  });

  it("lists a directory in pages, each entry once", () => {
    const names = Array.from({ length: 1500 }, (_, i) => `file-${String(i).padStart(5, "0")}`);
    mkdirSync(join(folder.path, "many"));
    for (const name of names) writeFileSync(join(folder.path, "many", name), "");
    expect(list("many").map(({ name }) => name)).toEqual(names);
    const lister = new FolderLister();
    const { next = 0 } = lister.list(root, "many", 0);
    expect(next).toBeGreaterThan(0);
    // Whoever asks for another directory in between gets the rest all the same.
    lister.list(root, "d", 0);
    const rest = decodePage(lister.list(root, "many", next).bytes);
    expect(rest[0]?.name).toBe(names[next]);
    expect(decodePage(lister.list(root, "many", 10_000_000).bytes)).toEqual([]);
  });
});

/** What a server that is not root sees of the folder: errors by their code, else modes and contents. */
const asSomebody = `
  const module = process.argv[1] + "/src/vm/broker/software/read-folder.ts";
  const { openFolder, FolderLister, readPart } = await import(module);
  const { decodePage } = await import(process.argv[1] + "/src/vm/wire/listing.ts");
  const attempt = (step) => { try { return step(); } catch (error) { return error.code ?? error.errno; } };
  const root = openFolder(process.argv[2]);
  const list = (path) => attempt(() => decodePage(new FolderLister().list(root, path, 0).bytes)
    .map(({ name, mode }) => name + " " + mode.toString(8)));
  const read = (path) => attempt(() => String(Buffer.from(readPart(root, path, 0, 9).bytes)));
  const closed = attempt(() => openFolder(process.argv[2] + "/closed-directory"));
  process.stdout.write(JSON.stringify([list(""), list("closed-directory"), read("open"), read("closed"), String(closed)]));
`;

describe("a server that may not read all", unless(notRoot), () => {
  it("shows what it may not read, and fails to open it", () => {
    const mixed = new HostFolder({ open: "1", closed: "2", "closed-directory/f": "3" });
    try {
      chmodSync(mixed.path, 0o755);
      chmodSync(join(mixed.path, "closed"), 0o600);
      chmodSync(join(mixed.path, "closed-directory"), 0o700);
      const project = resolve(import.meta.dirname, "../../../..");
      const output = execFileSync(
        process.execPath,
        ["--no-warnings", "--input-type=module", "-e", asSomebody, project, mixed.path],
        { uid: 65_534, gid: 65_534, encoding: "utf8", cwd: "/" },
      );
      expect(JSON.parse(output)).toEqual([
        ["closed 0", "closed-directory 0", "open 644"],
        "EACCES",
        "1",
        "EACCES",
        "EACCES",
      ]);
    } finally {
      mixed.remove();
    }
  });
});
