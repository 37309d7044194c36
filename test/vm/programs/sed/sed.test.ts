import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

describe("sed", () => {
  it("can be ended while its script loops", async () => {
    const machine = await boot();
    const result = await machine.sh("echo x | timeout 0.2 sed ':a;ba'; echo $?");
    expect(result).toEqual({ stdout: "124\n", stderr: "", status: 0 });
  });

  it("fails alone when its pattern space outgrows its memory", async () => {
    const machine = await boot();
    const script = "head -c 20M /dev/zero | tr '\\0' a | sed 's/.*/&&&&/'";
    expect(await machine.sh(script, { limitMs: 60_000 })).toEqual({
      stdout: "",
      stderr: "sed: memory exhausted\n",
      status: 4,
    });
  });

  it("quits a stream without end", async () => {
    const machine = await boot();
    const result = await machine.sh("yes abc | sed -n '1000000{=;q}'", { limitMs: 60_000 });
    expect(result).toEqual({ stdout: "1000000\n", stderr: "", status: 0 });
  });

  it("prints lines before the next ones come", async () => {
    const machine = await boot();
    const script =
      "mkfifo /tmp/p; (echo a; cat /tmp/p) | sed 's/a/b/' | (read x; echo got $x; echo > /tmp/p)";
    expect(await machine.sh(script, { limitMs: 20_000 })).toEqual({
      stdout: "got b\n",
      stderr: "",
      status: 0,
    });
  });

  it("takes characters of several bytes as one where the locale does", async () => {
    const machine = await boot();
    const script =
      "echo 'naïve' | sed 's/./<&>/3;y/ï/i/;s/.*/\\U&/'; printf 'a\\377b\\n' | sed 's/[^a]/X/g' | od -An -c";
    expect(await machine.sh(script, { env: { LC_ALL: "C.UTF-8" } })).toEqual({
      stdout: "NA<I>VE\n   a 377   X  \\n\n",
      stderr: "",
      status: 0,
    });
  });

  it("refuses to run commands in a sandbox and to explain itself", async () => {
    const machine = await boot();
    expect(await machine.sh("echo x | sed --debug p")).toEqual({
      stdout: "",
      stderr: "sed: --debug is not available\n",
      status: 1,
    });
  });
});
