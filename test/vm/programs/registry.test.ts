import { describe, expect, it } from "vitest";
import { findProgram, programNames } from "../../../src/vm/programs/registry.ts";
import { boot } from "../../support/boot.ts";

describe("the programs", () => {
  it("are found by their names and by no others", async () => {
    for (const name of programNames()) expect(await findProgram(name)).toBeTypeOf("function");
    expect(await findProgram("nope")).toBeUndefined();
    expect(await findProgram("__proto__")).toBeUndefined();
    expect(await findProgram("constructor")).toBeUndefined();
  });

  it("all answer --help and --version", async () => {
    const machine = await boot();
    // `test --help` is a test of a word that is not empty, as POSIX has it.
    for (const name of programNames().filter((one) => one !== "test")) {
      for (const option of ["--help", "--version"]) {
        const { stdout, stderr, status } = await machine.run([name, option]);
        const expected = name === "false" ? 1 : 0;
        expect({ name, stderr, status }).toEqual({ name, stderr: "", status: expected });
        expect(stdout).toMatch(option === "--help" ? /^Usage:/m : /\d\.\d/);
      }
    }
    expect(machine.logged).toEqual([]);
  });
});
