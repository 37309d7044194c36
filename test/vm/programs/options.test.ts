import { describe, expect, it } from "vitest";
import {
  helpText,
  type ProgramTable,
  readOptions,
  UsageError,
} from "../../../src/vm/programs/options.ts";

const table: ProgramTable = {
  name: "demo",
  usage: ["[OPTION]... FILE", "-x"],
  summary: "Shows options.",
  options: [
    { short: "a", long: "all", help: "everything" },
    { long: "almost", help: "nearly" },
    { short: "n", long: "lines", value: "NUM", help: "a count" },
    { long: "color", value: "WHEN", isOptional: true, help: "colours" },
    { short: "q", help: "quietly" },
  ],
};

const read = (...words: string[]) => readOptions(table, words);

describe("readOptions", () => {
  it("takes letters together, values joined and apart, and options after operands", () => {
    const options = read("-aq", "f", "-n5", "--lines=6", "--color", "-n", "7", "g");
    expect(options.operands).toEqual(["f", "g"]);
    expect(options.order).toEqual(["all", "q", "lines", "lines", "color", "lines"]);
    expect(options.all("lines")).toEqual(["5", "6", "7"]);
    expect(options.get("lines")).toBe("7");
    expect(options.get("color")).toBe("");
  });

  it("ends at -- and takes - as an operand", () => {
    expect(read("-", "--", "-a", "--").operands).toEqual(["-", "-a", "--"]);
  });

  it("takes a beginning that only one option has", () => {
    expect(read("--col=x").get("color")).toBe("x");
    expect(read("--alm").has("almost")).toBe(true);
  });

  it.each([
    [["-z"], "invalid option -- 'z'"],
    [["-az"], "invalid option -- 'z'"],
    [["--nope"], "unrecognized option '--nope'"],
    [["--nope=1"], "unrecognized option '--nope=1'"],
    [["-n"], "option requires an argument -- 'n'"],
    [["--lines"], "option '--lines' requires an argument"],
    [["--all=1"], "option '--all' doesn't allow an argument"],
    [["--a"], "option '--a' is ambiguous; possibilities: '--all' '--almost'"],
  ])("refuses %j in GNU's words", (words, message) => {
    expect(() => read(...words)).toThrow(new UsageError(message));
  });

  it("stops at the first operand where the program says so", () => {
    const options = readOptions({ ...table, stopsAtOperand: true }, ["-a", "cmd", "-z"]);
    expect(options.operands).toEqual(["cmd", "-z"]);
  });

  it("shows every option in the help", () => {
    expect(helpText(table)).toBe(
      [
        "Usage: demo [OPTION]... FILE",
        "  or:  demo -x",
        "Shows options.",
        "",
        "  -a, --all                  everything",
        "      --almost               nearly",
        "  -n, --lines=NUM            a count",
        "      --color[=WHEN]         colours",
        "  -q                         quietly",
        "      --help                 display this help and exit",
        "      --version              output version information and exit",
        "",
      ].join("\n"),
    );
  });
});
