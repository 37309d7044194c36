import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

const exhausted = { stdout: "", stderr: "jq: error: memory exhausted\n", status: 5 };

describe("jq within its limits", () => {
  it("ends a value that grows without end", async () => {
    const machine = await boot();
    expect(await machine.sh(`jq -n '"x" * 1e9'`)).toEqual(exhausted);
    expect(await machine.sh("jq -n 'reduce range(40) as $i ([1]; . + .) | length'")).toEqual(
      exhausted,
    );
  });

  it("ends recursion that never returns", async () => {
    const machine = await boot();
    expect(await machine.sh("jq -n 'def f: 1 + f; f'")).toEqual(exhausted);
  });

  it("loops by tail calls, and can be killed while it does", async () => {
    const machine = await boot();
    expect(await machine.sh("timeout 0.2 jq -n 'def f: f; f'")).toEqual({
      stdout: "",
      stderr: "",
      status: 124,
    });
  });

  it("ends when nobody reads its results", async () => {
    const machine = await boot();
    expect(await machine.sh("jq -n 'repeat(1)' | head -n 2")).toEqual({
      stdout: "1\n1\n",
      stderr: "",
      status: 0,
    });
  });

  it("hands out each value as it comes", async () => {
    const machine = await boot();
    const script =
      "mkfifo /tmp/in; jq --unbuffered -c . < /tmp/in > /tmp/out & exec 3> /tmp/in; echo '[1] [2' >&3; until [ -s /tmp/out ]; do :; done; cat /tmp/out; echo ']' >&3; exec 3>&-; wait; cat /tmp/out";
    expect(await machine.sh(script)).toEqual({ stdout: "[1]\n[1]\n[2]\n", stderr: "", status: 0 });
  });

  it("builds large arrays and objects item by item without copying them", async () => {
    const machine = await boot();
    const script =
      "jq -n 'reduce range(100000) as $i ([]; . + [$i]) | length'; jq -n 'reduce range(50000) as $i ({}; .[\"k\\($i)\"] += 1) | length'";
    expect(await machine.sh(script)).toEqual({ stdout: "100000\n50000\n", stderr: "", status: 0 });
  });

  it("does not change what a variable still holds", async () => {
    const machine = await boot();
    const script =
      "jq -nc 'reduce (1,2) as $i ([[0]]; .[0] += [$i] | . + [.[0]])'; jq -nc '[[1]] as $x | reduce 1 as $i ($x; .[0] += [2]) | [., $x]'";
    expect(await machine.sh(script)).toEqual({
      stdout: "[[0,1,2],[0,1],[0,1,2]]\n[[[1,2]],[[1]]]\n",
      stderr: "",
      status: 0,
    });
  });

  it("imports modules and data", async () => {
    const machine = await boot();
    const script =
      "mkdir /tmp/lib; echo 'def twice: . * 2; def four: twice | twice;' > /tmp/lib/m.jq; echo '[1]' > /tmp/lib/d.json; jq -nc -L /tmp/lib 'import \"m\" as m; import \"d\" as $d; 3 | m::four, $d, $d::d'; jq -n -L /tmp/lib 'include \"m\"; 1 | four'";
    expect(await machine.sh(script)).toEqual({
      stdout: "12\n[[1]]\n[[1]]\n4\n",
      stderr: "",
      status: 0,
    });
  });

  it("keeps integers that no double holds", async () => {
    const machine = await boot();
    expect(await machine.sh("echo '[12345678901234567890]' | jq -c '., .[0], map(. + 0)'")).toEqual(
      {
        stdout: "[12345678901234567890]\n12345678901234567890\n[12345678901234567000]\n",
        stderr: "",
        status: 0,
      },
    );
  });
});
