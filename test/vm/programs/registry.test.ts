import { describe, expect, it } from "vitest";
import { findProgram, programNames } from "../../../src/vm/programs/registry.ts";
import { boot } from "../../support/boot.ts";

/** Programs whose arguments are all data, or that have options of their own kind. */
const without = new Set(["true", "false", "test", "["]);

describe("the programs", () => {
  it("are found by their names and by no others", async () => {
    for (const name of programNames()) expect(await findProgram(name)).toBeTypeOf("function");
    expect(await findProgram("nope")).toBeUndefined();
    expect(await findProgram("__proto__")).toBeUndefined();
    expect(await findProgram("constructor")).toBeUndefined();
  });

  it("all answer --help and --version", async () => {
    const machine = await boot();
    for (const name of programNames().filter((one) => !without.has(one))) {
      for (const option of ["--help", "--version"]) {
        const { stdout, stderr, status } = await machine.run({
          path: `/bin/${name}`,
          argv: [name, option],
        });
        expect({ name, stderr, status }).toEqual({ name, stderr: "", status: 0 });
        expect(stdout).toMatch(option === "--help" ? /^Usage:/ : /\d\.\d/);
      }
    }
  });
});
