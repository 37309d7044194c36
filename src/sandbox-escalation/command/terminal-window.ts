import type { HostCommandCall, TerminalSize } from "../../toolkit-cli/index.ts";
import type { SandboxProcess } from "../provider.ts";

/** The size of a call's terminal: it may change while a sandbox starts, or somebody is asked for one. */
export class TerminalWindow {
  #size: TerminalSize | undefined;
  #process: SandboxProcess | undefined;

  constructor(call: HostCommandCall) {
    this.#size = call.terminal;
    call.onResize((size) => {
      this.#size = size;
      this.#tell(size);
    });
  }

  /** As it is now; undefined where the call has no terminal. */
  get size(): TerminalSize | undefined {
    return this.#size;
  }

  /** From now on the process is told, which was started with a size that may be old by now. */
  lead(process: SandboxProcess, startedWith: TerminalSize): void {
    this.#process = process;
    if (this.#size !== undefined && this.#size !== startedWith) this.#tell(this.#size);
  }

  #tell({ columns, rows }: TerminalSize): void {
    // One that has ended needs no size.
    this.#process?.resize(columns, rows).catch(() => undefined);
  }
}
