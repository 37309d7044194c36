import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { eventually } from "../../support/eventually.ts";

let vms: Vms;
let vm: Vm;
beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  vm = await vms.create();
});
afterAll(() => vms.close());

describe("SIGINT", () => {
  it("breaks off a loop in the REPL, and only that", async () => {
    let text = "";
    const exec = await vm.spawn(["node"], {
      pty: { cols: 80, rows: 24 },
      onOutput: (_, bytes) => {
        text += new TextDecoder().decode(bytes);
      },
    });
    const type = async (keys: string): Promise<void> =>
      await exec.write(new TextEncoder().encode(keys));
    const shows = (words: string): Promise<void> =>
      eventually(`it shows ${words}`, () => text.includes(words));
    await shows("> ");
    for (const word of ["one", "two"]) {
      await type(`console.log("loop", "${word}"); for (;;);\r`);
      await shows(`loop ${word}\r\n`);
      text = "";
      await type("\u0003");
      await shows("Uncaught Error: Script execution was interrupted by `SIGINT`");
      await type(`"still " + "${word}"\r`);
      await shows(`'still ${word}'`);
    }
    await type(".exit\r");
    await exec.wait();
    expect(exec.status()).toEqual({ state: "exited", exitCode: 0 });
  });

  it("breaks off a script that asks for it, and is the process's own before and after", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const vm = require("node:vm");
      process.on("SIGINT", () => console.log("own"));
      // From within, once the loop has begun: only another process can.
      spawn("sh", ["-c", "until [ -e looping ]; do sleep 0.01; done; kill -INT " + process.pid], { stdio: "ignore" });
      globalThis.begun = () => require("node:fs").writeFileSync("looping", "");
      try {
        vm.runInThisContext("begun(); for (;;);", { breakOnSigint: true });
      } catch (error) {
        console.log(error.code, error.message);
      }
      process.once("SIGINT", () => setImmediate(() => process.exit(5)));
      process.kill(process.pid, "SIGINT");
      setInterval(() => {}, 1000);`;
    const { stdout, stderr, exitCode } = await vm.exec("cd $(mktemp -d); cat > s.js; node s.js", {
      stdin: script,
    });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout:
        "ERR_SCRIPT_EXECUTION_INTERRUPTED Script execution was interrupted by `SIGINT`\nown\n",
      stderr: "",
      exitCode: 5,
    });
  });

  it("ends a process that does not ask for anything else", async () => {
    const { exitCode } = await vm.exec(
      'cd $(mktemp -d); node -e \'require("fs").writeFileSync("up", ""); for (;;);\' & until [ -e up ]; do sleep 0.01; done; kill -INT $!; wait $!',
    );
    expect(exitCode).toBe(130);
  });
});
