import { constants as fsConstants } from "node:fs";
import { constants as osConstants } from "node:os";
import { getSystemErrorMap } from "node:util";
import { describe, expect, it } from "vitest";
import { errnos, errnoWords } from "../../../src/kernel/abi/errno.ts";
import { isKernelError, KernelError } from "../../../src/kernel/abi/kernel-error.ts";
import * as flags from "../../../src/kernel/abi/open-flags.ts";
import {
  defaultAction,
  findSignalName,
  findSignalNumber,
  signals,
} from "../../../src/kernel/abi/signals.ts";
import * as stat from "../../../src/kernel/abi/stat.ts";
import { shellStatus } from "../../../src/kernel/abi/wait-status.ts";
import { notLinux, unless } from "../../support/unless.ts";

describe("numbers", unless(notLinux), () => {
  it("of errors are the host's", () => {
    const host = new Map([...getSystemErrorMap()].map(([number, [name]]) => [name, -number]));
    for (const [name, [number]] of Object.entries(errnos)) {
      if (host.has(name)) expect([name, number]).toEqual([name, host.get(name)]);
    }
    expect(Object.keys(errnos).filter((name) => host.has(name)).length).toBeGreaterThan(35);
  });

  it("of signals are the host's", () => {
    for (const [name, number] of Object.entries(signals)) {
      expect([name, number]).toEqual([name, osConstants.signals[name as NodeJS.Signals]]);
    }
  });

  it("of flags, modes and kinds are the host's", () => {
    const ours = new Map(Object.entries({ ...flags, ...stat }));
    const shared = Object.entries(fsConstants).filter(([name]) => ours.has(name));
    expect(shared.length).toBeGreaterThan(20);
    // Node leaves O_CLOEXEC out and SETTABLE_FLAGS is ours; what both name must be the same.
    for (const [name, number] of shared) expect([name, ours.get(name)]).toEqual([name, number]);
  });
});

describe("errors", () => {
  it("say errno, subject, words and reason", () => {
    expect(new KernelError("ENOENT").message).toBe("ENOENT: No such file or directory");
    expect(new KernelError("ENOENT", "/x").message).toBe("ENOENT: /x: No such file or directory");
    const full = new KernelError("EACCES", "/x", "because");
    expect(full.message).toBe("EACCES: /x: Permission denied (because)");
    expect([full.errno, full.subject, full.reason, full.name]).toEqual([
      "EACCES",
      "/x",
      "because",
      "KernelError",
    ]);
    expect(errnoWords("E2BIG")).toBe("Argument list too long");
  });

  it("are told apart", () => {
    const error = new KernelError("EPIPE");
    expect([
      isKernelError(error),
      isKernelError(error, "EPIPE"),
      isKernelError(error, "EIO"),
    ]).toEqual([true, true, false]);
    expect([isKernelError(new Error("EPIPE")), isKernelError(undefined)]).toEqual([false, false]);
  });
});

describe("signals", () => {
  it("have names and numbers, in any case, with and without SIG", () => {
    expect(["TERM", "SIGTERM", "sigterm", "15"].map(findSignalNumber)).toEqual([15, 15, 15, 15]);
    expect(
      ["0", "99", "32", "", "SIG", "SIGFOO", "constructor", "-1", "1.5"].map(findSignalNumber),
    ).toEqual([0, ...Array<undefined>(8).fill(undefined)]);
    expect([findSignalName(9), findSignalName(0), findSignalName(99)]).toEqual([
      "SIGKILL",
      undefined,
      undefined,
    ]);
  });

  it("do by default what signal(7) says", () => {
    const by = (action: string) =>
      Object.entries(signals).flatMap(([name, number]) =>
        defaultAction(number) === action ? [name] : [],
      );
    expect(by("ignore")).toEqual(["SIGCHLD", "SIGURG", "SIGWINCH"]);
    expect(by("stop")).toEqual(["SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"]);
    expect(by("continue")).toEqual(["SIGCONT"]);
    expect(by("terminate")).toHaveLength(31 - 8);
  });
});

describe("a wait's status", () => {
  it("is a shell's $?", () => {
    expect(shellStatus({ kind: "exited", code: 3 })).toBe(3);
    expect(shellStatus({ kind: "signaled", signal: 9 })).toBe(137);
    expect(shellStatus({ kind: "stopped", signal: 20 })).toBe(148);
    expect(shellStatus({ kind: "continued" })).toBe(0);
  });

  it("has kinds of files with their bits", () => {
    expect(stat.formatOf("directory")).toBe(0o040000);
    expect(stat.formatOf("file") & stat.S_IFMT).toBe(stat.S_IFREG);
  });
});
