import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  loaderFiles,
  ownCode,
  withRealPaths,
} from "../../../../src/vm/broker/cell-process/own-code.ts";
import { notLinux, unless } from "../../../support/unless.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

describe("ownCode", () => {
  it("names the code, the manifest and the packages a cell runs, and no more of the package", () => {
    const paths = ownCode().map((path) => relative(root, path));
    expect(paths).toEqual(["src", "package.json", "node_modules/yaml"]);
  });
});

describe("withRealPaths", () => {
  it("drops what is not there, names each path once, and adds where a link leads", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-paths-")));
    try {
      symlinkSync(folder, join(folder, "link"));
      const paths = [folder, join(folder, "none"), `${folder}/`, join(folder, "link")];
      expect(withRealPaths(paths)).toEqual([folder, join(folder, "link")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("loaderFiles", unless(notLinux), () => {
  it("names the C library, the loader, and only files that exist", () => {
    const files = loaderFiles();
    expect(files.some((file) => /\/libc\.so/.test(file))).toBe(true);
    expect(files.some((file) => /\/ld-/.test(file))).toBe(true);
    expect(files.filter((file) => !existsSync(file) && file !== "/etc/ld.so.cache")).toEqual([]);
  });
});
