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
  const format =
    style === "posix" ? posixFormat : (shell.variables.get("TIMEFORMAT") ?? bashFormat);
  if (format !== "") await shell.write(2, `${report(format, (end - start) / 1000)}\n`);
  return status;
}

const bashFormat = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
const posixFormat = "real %2R\nuser %2U\nsys %2S";

/** TIMEFORMAT: `%R`, `%U`, `%S`, each with digits and `l` for minutes, and `%P`. */
function report(format: string, seconds: number): string {
  return format.replace(/%(?:%|([0-9]?)(l?)([RUS])|P)/g, (whole, digits, long, letter) => {
    if (whole === "%%") return "%";
    if (whole === "%P") return "0.00";
    const places = digits === "" ? 3 : Math.min(3, Number(digits));
    const value = letter === "R" ? seconds : 0;
    if (long === "") return value.toFixed(places);
    const minutes = Math.floor(value / 60);
    return `${minutes}m${(value - minutes * 60).toFixed(places)}s`;
  });
}
