import { describe, expect, it } from "vitest";
import type { Toolkit } from "../../src/toolkit-cli/index.ts";
import { HostError } from "../../src/vm/host-error.ts";
import { makeVmName } from "../../src/vm/vm-name.ts";
import { checkVmOptions, type VmOptions } from "../../src/vm/vm-options.ts";

function problemOf(options: VmOptions): string {
  try {
    checkVmOptions(options);
  } catch (error) {
    if (error instanceof HostError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("checkVmOptions", () => {
  it.each(["a", "demo", "amber-fox-7k2q", "0", "a".repeat(63)])("takes the name %s", (name) => {
    expect(problemOf({ name })).toBe("none");
  });

  it.each(["", "-a", "A", "a_b", "a/b", "..", "a".repeat(64), "é", "a b", "a\n"])(
    "refuses the name %j",
    (name) => {
      expect(problemOf({ name })).toBe(`VM_NAME_INVALID: "${name}" is not a valid VM name.`);
    },
  );

  it("refuses a limit there is none of, and one that is no number", () => {
    expect(problemOf({ limits: { maxFoo: 1 } as never })).toBe(
      "VM_OPTIONS_INVALID: The VM's options are not valid: maxFoo: there is no such limit.",
    );
    expect(problemOf({ limits: { maxProcesses: 0 } })).toBe(
      "VM_OPTIONS_INVALID: The VM's options are not valid: maxProcesses: a limit is a whole number from 1 up.",
    );
  });

  it("refuses a policy that cannot be", () => {
    expect(problemOf({ permissions: { fs: "maybe" } as never })).toBe(
      'VM_OPTIONS_INVALID: The VM\'s options are not valid: permissions.fs: a mode is "allow", "deny" or "ask".',
    );
  });

  it("refuses variables that cannot be", () => {
    expect(problemOf({ env: { "A=B": "x" } })).toContain('"A=B" cannot be a variable');
    expect(problemOf({ env: { A: "x\0y" } })).toContain('"A" cannot be a variable');
    expect(problemOf({ env: { A: "x".repeat(200_000) } })).toContain("more than");
  });
});

describe("toolkits of a VM", () => {
  const named = (...names: string[]): VmOptions => ({ toolkits: names.map(toolkitOf) });
  const toolkitOf = (name: string): Toolkit => ({
    name,
    description: "",
    expose: "cli",
    tools: async () => [],
  });

  it("are taken up to 200, each name once", () => {
    const names = Array.from({ length: 201 }, (_, at) => `t${at}`);
    expect(problemOf(named(...names.slice(1)))).toBe("none");
    expect(problemOf(named(...names))).toContain("there are more than 200 toolkits");
    expect(problemOf(named("a", "b", "a"))).toContain('two toolkits are called "a"');
  });

  it.each(["", "a/b", "..\0", "a b", "x".repeat(201)])("cannot be called %j", (name) => {
    expect(problemOf(named(name))).toContain("cannot be a toolkit's name");
  });

  it("are a list", () => {
    expect(problemOf({ toolkits: {} as never })).toContain("it is a list of toolkits");
  });
});

describe("host commands of a VM", () => {
  const run = async (): Promise<number> => 0;
  const named = (...names: string[]): VmOptions => ({
    commands: names.map((name) => ({ name, description: "", run })),
  });

  it("are taken up to 500, each name once", () => {
    const names = Array.from({ length: 501 }, (_, at) => `c${at}`);
    expect(problemOf(named(...names.slice(1)))).toBe("none");
    expect(problemOf(named(...names))).toContain("commands: there are more than 500");
    expect(problemOf(named("a", "b", "a"))).toContain('two commands are called "a"');
    expect(problemOf(named("g++", "python3.12", "x86_64-linux-gnu-gcc", "_"))).toBe("none");
  });

  it.each(["", "a/b", "..", ".", "-x", "a b", "é", "a\n", "x".repeat(65), "agentos", "agentos-x"])(
    "cannot be called %j",
    (name) => {
      expect(problemOf(named(name))).toContain("cannot be a command");
    },
  );

  it("are a list, each with a function", () => {
    expect(problemOf({ commands: {} as never })).toContain("it is a list of host commands");
    expect(problemOf({ commands: [{ name: "a" }] as never })).toContain("has no function to run");
  });
});

describe("makeVmName", () => {
  it("makes names that are taken, and not twice the same", () => {
    const names = Array.from({ length: 200 }, () => makeVmName());
    expect(
      names.map((name) => problemOf({ name })).filter((problem) => problem !== "none"),
    ).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
