import type { Shell } from "../state/shell.ts";

/** User and system time of the shell, and of its children that have ended. */
export async function times(shell: Shell): Promise<number> {
  const { ownMs, childrenMs } = await shell.sys.times();
  const line = (ms: number): string => `${showTime(ms)} ${showTime(0)}\n`;
  await shell.write(1, `${line(ownMs)}${line(childrenMs)}`);
  return 0;
}

/** As bash has it: `1m2.345s`. */
function showTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes}m${((ms - minutes * 60_000) / 1000).toFixed(3)}s`;
}
