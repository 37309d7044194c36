import { devNull } from "node:os";
import { describe, expect, it } from "vitest";
import { cellFlags } from "../../../../src/vm/broker/cell-process/cell-flags.ts";

const options = {
  readable: ["/a", "/b c"],
  heapLimitBytes: 64 * 1024 * 1024,
  allowAddons: false,
  without: [],
};
const always = [
  "--no-warnings",
  "--max-old-space-size=64",
  "--v8-pool-size=2",
  `--openssl-config=${devNull}`,
  "--expose-internals",
  "--disable-sigusr1",
];

describe("cellFlags", () => {
  it("grants nothing but reading the code, and ffi for the jail", () => {
    const granted = ["--permission", "--allow-ffi", "--allow-fs-read=/a", "--allow-fs-read=/b c"];
    expect(cellFlags(options)).toEqual([...always, ...granted]);
  });

  it("grants addons when asked to", () => {
    expect(cellFlags({ ...options, allowAddons: true }).at(-1)).toBe("--allow-addons");
  });

  it("leaves the permission model out for a test that asks for it", () => {
    expect(cellFlags({ ...options, without: ["permission-model"] })).toEqual(always);
  });

  it("never asks for a heap too small to start with", () => {
    expect(cellFlags({ ...options, heapLimitBytes: 1 })).toContain("--max-old-space-size=16");
  });
});
