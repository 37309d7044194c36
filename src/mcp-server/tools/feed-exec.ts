import type { Exec } from "../../vm/index.ts";
import { ExecFeeding } from "../exec-feeding.ts";

export interface Input {
  readonly text: string | undefined;
  /** Whether nothing comes after it. */
  readonly closes: boolean;
}

/** Starts to give a command its input. */
export function feedExec(exec: Exec, { text, closes }: Input): ExecFeeding {
  return new ExecFeeding(exec, async () => {
    if (text !== undefined) await exec.write(new TextEncoder().encode(text));
    if (closes) await exec.closeStdin();
  });
}
