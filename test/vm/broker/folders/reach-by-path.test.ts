import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { isKernelError } from "../../../../src/kernel/index.ts";
import { DiskReads } from "../../../../src/vm/broker/folders/disk-reads.ts";
import { codeOf } from "../../../../src/vm/broker/folders/reach.ts";
import { ReachByPath } from "../../../../src/vm/broker/folders/reach-by-path.ts";
import { TestFolder } from "../../../support/test-folder.ts";

let folder: TestFolder;
let outside: TestFolder;
let reads: DiskReads;
let root: number;

beforeEach(() => {
  folder = new TestFolder({ "d/file": "inside" });
  outside = new TestFolder({ file: "secret" });
  reads = new DiskReads(new ReachByPath());
  root = reads.openRoot({ path: folder.path }).fd;
  return () => {
    folder.remove();
    outside.remove();
  };
});

function find(directory: number, name: string): number {
  const found = reads.find({ directory, name, contentBytes: 0 });
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.fd;
}

function read(fd: number): string {
  return Buffer.from(reads.read({ fd, offset: 0, length: 100 })).toString();
}

function errnoOf(act: () => unknown): string {
  try {
    act();
    return "none";
  } catch (error) {
    return isKernelError(error) ? error.errno : codeOf(error);
  }
}

describe("ReachByPath", () => {
  it("reads what is in the folder, by one name after the other", () => {
    expect(read(find(find(root, "d"), "file"))).toBe("inside");
    expect(reads.find({ directory: root, name: "none", contentBytes: 0 })).toBeUndefined();
    expect(errnoOf(() => find(root, ".."))).toBe("EINVAL");
    expect(errnoOf(() => find(root, "d/file"))).toBe("EINVAL");
  });

  it("follows no link, whoever puts it there", () => {
    symlinkSync(join(outside.path, "file"), join(folder.path, "link"));
    expect(errnoOf(() => read(find(root, "link")))).toBe("EACCES");
    const directory = find(root, "d");
    const file = find(directory, "file");
    renameSync(join(folder.path, "d"), join(folder.path, "moved"));
    symlinkSync(outside.path, join(folder.path, "d"));
    expect(errnoOf(() => read(file))).toBe("ESTALE");
    expect(errnoOf(() => find(directory, "file"))).toBe("ESTALE");
  });

  it("knows a file that has taken the place of another", () => {
    const file = find(find(root, "d"), "file");
    rmSync(join(folder.path, "d/file"));
    folder.add({ "d/file": "another" });
    expect(errnoOf(() => read(file))).toBe("ESTALE");
  });
});
