import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  loaderFiles,
  ownCode,
  realPaths,
} from "../../../../src/vm/broker/cell-process/own-code.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

describe("ownCode", () => {
  it("names the code, the manifest and the packages a cell runs, and no more of the package", () => {
    const paths = ownCode().map((path) => relative(root, path));
    expect(paths).toEqual(["src", "package.json", "node_modules/unbash"]);
  });
});

describe("realPaths", () => {
  it("drops what is not there and names each path once", () => {
    expect(realPaths([root, "/no/such/path", `${root}/`])).toHaveLength(1);
  });
});

describe.runIf(process.platform === "linux")("loaderFiles", () => {
  it("names the C library, the loader, and only files that exist", () => {
    const files = loaderFiles();
    expect(files.some((file) => /\/libc\.so/.test(file))).toBe(true);
    expect(files.some((file) => /\/ld-/.test(file))).toBe(true);
    expect(files.filter((file) => !existsSync(file) && file !== "/etc/ld.so.cache")).toEqual([]);
  });
});
