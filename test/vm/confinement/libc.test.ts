import { closeSync, readSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LibcError, openLibc } from "../../../src/vm/confinement/libc.ts";
import { parentPid } from "../../../src/vm/confinement/process-rights.ts";
import { makeSocketPair } from "../../../src/vm/confinement/socket-pair.ts";
import { notLinux, unless } from "../../support/unless.ts";

describe("openLibc", () => {
  const libc = openLibc();

  it(
    "says why there is none",
    unless(notLinux === undefined ? "there is one on Linux" : undefined),
    () => {
      expect(libc).toBe(`there is no such call on ${process.platform}`);
    },
  );

  if (typeof libc === "string") return;

  it("returns what the kernel returns", () => {
    expect(parentPid(libc)).toBe(process.ppid);
  });

  it("turns a failure into its errno", () => {
    let caught: unknown;
    try {
      libc.syscall("nothing", 100_000);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(LibcError);
    expect(caught).toMatchObject({
      call: "nothing",
      errno: 38,
      message: "nothing failed with errno 38",
    });
  });

  it("passes buffers in and out: two connected sockets", () => {
    const [near, far] = makeSocketPair(libc);
    try {
      writeSync(near, "hello");
      const into = new Uint8Array(16);
      expect(Buffer.from(into.subarray(0, readSync(far, into))).toString()).toBe("hello");
    } finally {
      closeSync(near);
      closeSync(far);
    }
  });
});
