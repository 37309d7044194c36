import type { Shell } from "../state/shell.ts";

/** `time`: says on fd 2 how long a pipeline took. The time in the kernel is not known apart: 0. */
export async function timed(
  shell: Shell,
  style: "bash" | "posix",
  step: () => Promise<number>,
): Promise<number> {
  const { monotonicMs: start } = await shell.sys.clock();
  const status = await step();
  const { monotonicMs: end } = await shell.sys.clock();
  const seconds = (end - start) / 1000;
  await shell.write(2, style === "posix" ? posixReport(seconds) : bashReport(seconds));
  return status;
}

function posixReport(seconds: number): string {
  return `real ${seconds.toFixed(2)}\nuser 0.00\nsys 0.00\n`;
}

function bashReport(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `\nreal\t${minutes}m${(seconds - minutes * 60).toFixed(3)}s\nuser\t0m0.000s\nsys\t0m0.000s\n`;
}
