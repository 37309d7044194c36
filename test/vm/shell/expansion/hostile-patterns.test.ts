import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const text = `${"a".repeat(60)}b`;

describe("a pattern with many ways to match", () => {
  it.each([
    [`case ${text} in *a*a*a*a*a*a*a*a*a*a*a*c) echo yes;; *) echo no;; esac`, "no\n"],
    [`[[ ${text} =~ ^(a+)+$ ]]; echo $?`, "1\n"],
    [`shopt -s extglob; [[ ${text} == +(a|aa)c ]]; echo $?`, "1\n"],
    [`shopt -s extglob; x=${text}; echo \${x//+(a|aa)c/} \${x/+(a|aa)b/-}`, `${text} -\n`],
    [`shopt -s extglob; x=${text}; echo \${x%%+(a|aa)} \${x##+(a|aa)}`, `${text} b\n`],
    [`echo ${text} | grep -cE '^(a+)+$'; echo ${text} | grep -ciE '^(a+)+$'; true`, "0\n0\n"],
    [
      `touch ${text}; find . -name '*a*a*a*a*a*a*a*a*a*a*a*c'; echo *a*a*a*a*a*a*a*a*a*c`,
      "*a*a*a*a*a*a*a*a*a*c\n",
    ],
  ])("is decided: %s", async (script, stdout) => {
    const machine = await boot();
    expect(await machine.sh(script)).toEqual({ stdout, stderr: "", status: 0 });
  });

  it("is refused where it refers back to what it found", async () => {
    const machine = await boot();
    expect(await machine.sh(`echo ${text} | grep -E '^(a+)+(a+)+\\1$'`)).toEqual({
      stdout: "",
      stderr: "grep: regular expression is too complex\n",
      status: 2,
    });
  });
});
