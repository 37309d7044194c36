// Input for a command, given while its output is waited for: a command may read none of it.
import type { Exec } from "../../vm/index.ts";

export interface Input {
  readonly text: string | undefined;
  /** Whether nothing comes after it. */
  readonly closes: boolean;
}

export interface Feeding {
  /** Throws what went wrong so far, unless it is that the command has ended. */
  throwIfFailed(): void;
}

/** Starts to feed a command; goes on by itself until all is taken or the command has ended. */
export function feedExec(exec: Exec, { text, closes }: Input): Feeding {
  let failure: unknown;
  const feed = async (): Promise<void> => {
    if (text !== undefined) await exec.write(new TextEncoder().encode(text));
    if (closes) await exec.closeStdin();
  };
  feed().catch((error: unknown) => {
    // Commands that end without reading their input are common: `true`, `head -1`.
    if (exec.isRunning) failure = error;
  });
  return {
    throwIfFailed() {
      if (failure !== undefined) throw failure;
    },
  };
}
