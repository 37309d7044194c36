import { describe, expect, it } from "vitest";
import { encodeText } from "../../../../src/kernel/index.ts";
import {
  PROGRAM_MAGIC,
  ProgramExecutor,
} from "../../../../src/vm/executors/program/program-executor.ts";
import { boot } from "../../../support/boot.ts";

describe("ProgramExecutor", () => {
  it("accepts files that name a program and nothing else", () => {
    const executor = new ProgramExecutor({ log: () => {} });
    const answers = [`${PROGRAM_MAGIC}ls\n`, "#!/bin/sh\n", "\x7fELF", "", "\x7fPROGRAM"].map(
      (text) => executor.accepts(encodeText(text)),
    );
    expect(answers).toEqual([true, false, false, false, false]);
  });

  it("ends a file that names no program with 127", async () => {
    const machine = await boot();
    const result = await machine.sh("printf '\\177PROGRAM nope\\n' > p; chmod +x p; ./p; echo $?");
    expect(result).toEqual({ stdout: "127\n", stderr: "", status: 0 });
  });

  it("runs a copy of a program under the program's own name", async () => {
    const machine = await boot();
    const result = await machine.sh("cp /bin/echo say; ./say hi; ./say --version");
    expect(result).toEqual({ stdout: "hi\necho (agentOS MCP) 0.1.0\n", stderr: "", status: 0 });
  });

  it("lets a killed program go without a word", async () => {
    const machine = await boot();
    const result = await machine.sh("cat & kill -9 $!; wait $!; echo $?", { stdin: "" });
    expect(result.stdout).toBe("137\n");
    expect(machine.logged).toEqual([]);
  });
});
