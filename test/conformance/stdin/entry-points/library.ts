import type { Vms } from "../../../../src/vm/index.ts";
import { built } from "../../../support/built-vms.ts";
import { bytesOf } from "../behaviour.ts";
import type { EntryPoint } from "../entry-point.ts";
import { Shown } from "../terminal.ts";

/** `vm.exec`, and `vm.spawn` for terminals and for stdin that stays open. */
export async function openLibrary(): Promise<EntryPoint> {
  const vms: Vms = new built.Vms({ poolSize: 0 });
  const vm = await vms.create();
  return {
    name: "library",
    parallel: 4,
    async run(command, { input, staysOpen }) {
      const stdin = staysOpen ? neverEnding(bytesOf(input)) : bytesOf(input);
      const { stdoutBytes, stderrBytes, exitCode } = await vm.exec(command, { stdin });
      return { stdout: latin1(stdoutBytes), stderr: latin1(stderrBytes), status: exitCode };
    },
    async openTerminal(command) {
      const shown = new Shown();
      const exec = await vm.spawn(command, {
        pty: { cols: 80, rows: 24 },
        onOutput: (_stream, bytes) => shown.append(bytes),
      });
      let typing = Promise.resolve();
      return {
        type: (bytes) => {
          typing = typing.then(() => exec.write(bytes));
        },
        shown: (mark) => shown.upTo(mark),
        ended: exec.wait(),
      };
    },
    close: () => vms.close(),
  };
}

/** The input, then nothing, and no end. */
async function* neverEnding(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise(() => {});
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
