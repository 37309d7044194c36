import { encodeText } from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import type { Run } from "./program.ts";

/** Asks on fd 2; yes is a line on fd 0 that starts with y. */
export async function askYes(run: Run, question: string): Promise<boolean> {
  await run.out.flush();
  await writeAll(run.sys, 2, encodeText(question));
  const byte = new Uint8Array(1);
  let first: number | undefined;
  while ((await run.sys.read(0, byte)) > 0 && byte[0] !== 10) first ??= byte[0];
  return first === 0x79 || first === 0x59;
}
