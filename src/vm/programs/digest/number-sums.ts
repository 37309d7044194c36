import type { Run } from "../program.ts";
import { BsdSum, PosixCrc, SysvSum } from "./cyclic.ts";
import { feedFile } from "./digest-file.ts";

/** One line of `cksum` without a digest, or of `sum`. */
export async function writeNumberSum(run: Run, kind: string, name: string): Promise<void> {
  const sum = kind === "bsd" ? new BsdSum() : kind === "sysv" ? new SysvSum() : new PosixCrc();
  const size = await feedFile(run, name, sum);
  if (typeof size !== "number") return;
  const value = sum.finish();
  const shown = new Map([
    ["bsd", `${String(value).padStart(5, "0")} ${String(Math.ceil(size / 1024)).padStart(5)}`],
    ["sysv", `${value} ${Math.ceil(size / 512)}`],
    ["crc", `${value} ${size}`],
  ]);
  const tail = run.operands.length === 0 ? "" : ` ${name}`;
  run.out.addText(`${shown.get(kind) ?? ""}${tail}${run.has("zero") ? "\0" : "\n"}`);
  if (run.out.isFull) await run.out.flush();
}
