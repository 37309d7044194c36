import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const env = { LC_ALL: "C.UTF-8" };

describe("grep", () => {
  it("leaves out lines that are no UTF-8 and says so", async () => {
    const machine = await boot();
    const script = "printf 'y\\nx\\377\\ny\\n' | grep -e x -e y";
    expect(await machine.sh(script, { env })).toEqual({
      stdout: "y\ny\n",
      stderr: "grep: (standard input): binary file matches\n",
      status: 0,
    });
  });

  it("finds one of a hundred thousand words", async () => {
    const machine = await boot();
    const script = "seq 100000 > /tmp/words; seq 99999 100002 | grep -xFf /tmp/words";
    expect(await machine.sh(script, { limitMs: 30_000 })).toEqual({
      stdout: "99999\n100000\n",
      stderr: "",
      status: 0,
    });
  });

  it.each(["(?R)", "(a)?(?(1)b|c)", "\\X", "(?|a|b)", "(*FAIL)"])(
    "refuses what it does not know of Perl's: %s",
    async (pattern) => {
      const machine = await boot();
      const { stdout, stderr, status } = await machine.sh(`echo a | grep -P '${pattern}'`);
      expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
      expect(stderr).toMatch(/^grep: .* is not supported in Perl regular expressions\n$/);
    },
  );

  it("shows colours on a terminal only", async () => {
    const machine = await boot();
    expect(await machine.sh("echo abc | grep --color b")).toEqual({
      stdout: "abc\n",
      stderr: "",
      status: 0,
    });
  });
});
