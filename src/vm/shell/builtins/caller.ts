import type { Shell } from "../state/shell.ts";
import { writeOutput } from "./echo.ts";

/** `caller`: the line and file of the call `n` frames up, with the function that made it. */
export async function caller(shell: Shell, words: readonly string[]): Promise<number> {
  const operand = words[1] === "--" ? words[2] : words[1];
  if (operand !== undefined && !/^\d+$/.test(operand)) {
    await shell.complain(`caller: ${operand}: invalid number`);
    await shell.write(2, "caller: usage: caller [expr]\n");
    return 2;
  }
  const frames = shell.frames.toReversed();
  const index = Number(operand ?? "0");
  const frame = frames[index];
  if (frame === undefined) return 1;
  const isScript = shell.startLetters === "";
  const above = frames[index + 1];
  const file = above?.file ?? (isScript ? shell.name : "NULL");
  if (operand === undefined) return writeOutput(shell, "caller", `${frame.callLine} ${file}\n`);
  if (above === undefined && !isScript) return 1;
  const name = above === undefined ? "main" : above.kind === "source" ? "source" : above.name;
  return writeOutput(shell, "caller", `${frame.callLine} ${name} ${file}\n`);
}
