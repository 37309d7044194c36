import type { Shell } from "../state/shell.ts";

/** `time`: says on fd 2 how long a pipeline took. The time in the kernel is not known apart: 0. Nor is that of programs. */
export async function timed(
  shell: Shell,
  style: "bash" | "posix",
  step: () => Promise<number>,
): Promise<number> {
  const { monotonicMs: start } = await shell.sys.clock();
  const before = await shell.sys.times();
  const status = await step();
  const { monotonicMs: end } = await shell.sys.clock();
  const after = await shell.sys.times();
  const format =
    style === "posix" ? posixFormat : (shell.variables.get("TIMEFORMAT") ?? bashFormat);
  const taken = {
    realSeconds: (end - start) / 1000,
    userSeconds: (after.childrenMs - before.childrenMs) / 1000,
  };
  if (format !== "") await shell.write(2, `${report(format, taken)}\n`);
  return status;
}

const bashFormat = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
const posixFormat = "real %2R\nuser %2U\nsys %2S";

interface Taken {
  readonly realSeconds: number;
  readonly userSeconds: number;
}

/** TIMEFORMAT: `%R`, `%U`, `%S`, each with digits and `l` for minutes, and `%P`. */
function report(format: string, { realSeconds, userSeconds }: Taken): string {
  return format.replace(/%(?:%|([0-9]?)(l?)([RUS])|P)/g, (whole, digits, long, letter) => {
    if (whole === "%%") return "%";
    if (whole === "%P") return ((realSeconds > 0 ? userSeconds / realSeconds : 0) * 100).toFixed(2);
    const places = digits === "" ? 3 : Math.min(3, Number(digits));
    const value = letter === "R" ? realSeconds : letter === "U" ? userSeconds : 0;
    if (long === "") return value.toFixed(places);
    const minutes = Math.floor(value / 60);
    return `${minutes}m${(value - minutes * 60).toFixed(places)}s`;
  });
}
