import { describe, expect, it } from "vitest";
import { helpText, readOptions, UsageError } from "../../bench/options.ts";

const choosers = {
  isRowChosen: expect.any(Function),
  isPeerChosen: expect.any(Function),
};

function read(...args: readonly string[]) {
  const options = readOptions(args);
  if (options === "help") throw new Error("asked for help");
  return options;
}

function refusal(...args: readonly string[]): string {
  try {
    read(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "";
}

describe("readOptions", () => {
  it("measures everything beside the peers when nothing is said", () => {
    const options = read();
    expect(options).toEqual({ isQuick: false, streamBytes: 64 * 1024 ** 2, ...choosers });
    const { isRowChosen, isPeerChosen } = options;
    expect([isRowChosen("echo"), isRowChosen("memory"), isPeerChosen("host")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("takes a commit, rounds, a size and a file", () => {
    const options = read(
      ...["--against", "HEAD~3", "--rounds", "7", "--megabytes", "2", "--json", "out.json"],
      "--quick",
    );
    expect(options).toEqual({
      ...choosers,
      against: "HEAD~3",
      rounds: 7,
      json: "out.json",
      isQuick: true,
      streamBytes: 2 * 1024 ** 2,
    });
    expect(read("--full").streamBytes).toBe(1024 ** 3);
  });

  it("chooses rows by name and by pattern", () => {
    const { isRowChosen } = read("--rows", "echo,stream-*");
    const keys = ["echo", "echo-less-wire", "stream-exec", "stream-shell", "wire"];
    expect(keys.filter(isRowChosen)).toEqual(["echo", "stream-exec", "stream-shell"]);
  });

  it("gives help", () => {
    expect(readOptions(["--help", "--rounds", "x"])).toBe("help");
    expect(helpText()).toContain("--against COMMIT");
  });

  it("refuses what it cannot follow, and says why", () => {
    expect(refusal("--rounds", "0")).toBe('--rounds: "0" is not a number from 1 up.');
    expect(refusal("--rounds", "many")).toBe('--rounds: "many" is not a number from 1 up.');
    expect(refusal("--megabytes", "1.5")).toBe('--megabytes: "1.5" is not a number from 1 up.');
    expect(refusal("--full", "--megabytes", "5")).toBe("Give --full or --megabytes, not both.");
    expect(refusal("--against", "HEAD", "--peers", "ours")).toBe(
      "--against compares two builds of ours; --peers does not go with it.",
    );
    expect(refusal("--rows", "echo,strem-*")).toMatch(/^--rows: nothing is named "strem-\*"; /);
    expect(refusal("--peers", "bash")).toBe(
      '--peers: nothing is named "bash"; known are ours, agentos, just-bash, host.',
    );
    expect(refusal("--agains", "HEAD")).toMatch(/^Unknown option '--agains'/);
    expect(refusal("HEAD")).toMatch(/^Unexpected argument 'HEAD'/);
  });

  it("refuses rows that two builds are not compared by", () => {
    expect(refusal("--against", "HEAD", "--rows", "memory")).toMatch(/nothing is named "memory"/);
    expect(refusal("--against", "HEAD", "--rows", "burst")).toMatch(/nothing is named "burst"/);
  });
});
