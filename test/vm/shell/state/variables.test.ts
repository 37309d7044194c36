import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const clean = { stderr: "", status: 0 };

describe("the variables of a shell", () => {
  it.each([
    ["an array", "while :; do a+=(x{1..1000}); done; echo not reached"],
    [
      "keys",
      'declare -A m; while :; do m[$((i++))]=$x$x; x="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"$i; x+=$x$x$x$x; x+=$x$x$x$x$x$x; done; echo not reached',
    ],
    [
      "many names",
      "x=$(printf %01000000d 0); while :; do printf -v v$((i++)) %s $x; done; echo not reached",
    ],
    [
      "lines",
      "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | mapfile a",
    ],
  ])("end their shell alone when they hold too much: %s", async (_, script) => {
    const machine = await boot();
    const { stdout, stderr, status } = await machine.sh(`bash -c '${script}'; echo $?`, {
      limitMs: 60_000,
    });
    expect(stdout).toBe("2\n");
    expect(stderr).toMatch(/^bash: line 1: xrealloc: cannot allocate \d+ bytes\n$/);
    expect(status).toBe(0);
    expect(await machine.sh("echo still here")).toEqual({ stdout: "still here\n", ...clean });
  });

  it("are not counted any more once they are gone", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "x=$(printf %020000000d 0); f() { local y=$x; }; for i in 1 2 3 4 5 6 7 8; do f; y=$x; unset y; done; echo ${#x}",
      { limitMs: 60_000 },
    );
    expect(result).toEqual({ stdout: "20000000\n", ...clean });
  });

  it("let others run while a large value is edited", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "{ x=$(printf %05000000d 0); y=${x//0/ab}; z=${y//[ab]/-}; echo ${#z} > done; } & until [ -e done ]; do n=$((n+1)); sleep 0.01; done; wait; cat done; [ $n -gt 0 ] && echo others ran",
      { limitMs: 60_000 },
    );
    expect(result).toEqual({ stdout: "10000000\nothers ran\n", ...clean });
  });

  it("are shared with a subshell until one of the two changes them", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "a=(1 2 3); declare -A m=([k]=v); (a[1]=x; unset 'm[k]'; echo ${a[@]} ${#m[@]}); a[0]=y; echo ${a[@]} ${m[k]}; echo $(a+=(4); echo ${#a[@]}) ${#a[@]}",
    );
    expect(result).toEqual({ stdout: "1 x 3 0\ny 2 3 v\n4 3\n", ...clean });
  });
});

describe("read", () => {
  const body = "{ read a; head -c 2; read b; cat; echo; echo $a $b; }";
  it.each([
    ["a pipe", `printf 'one\\ntwo\\nthree\\nfour' | ${body}`],
    ["a file", `printf 'one\\ntwo\\nthree\\nfour' > f; ${body} < f`],
    ["a process substitution", `${body} < <(printf 'one\\ntwo\\nthree\\nfour')`],
  ])("leaves what follows its line in %s to the next reader", async (_, script) => {
    const machine = await boot();
    expect(await machine.sh(script)).toEqual({ stdout: "twthree\nfour\none o\n", ...clean });
  });

  it("joins the pieces of a line that a slow writer gives", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "{ printf a; sleep 0.05; printf 'b\\nc'; sleep 0.05; echo d; } | { read x; read y; echo $x $y; }",
    );
    expect(result).toEqual({ stdout: "ab cd\n", ...clean });
  });
});
