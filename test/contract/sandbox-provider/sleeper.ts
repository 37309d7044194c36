import { randomInt } from "node:crypto";

/** A process that sleeps, and can be told from all others: not every sandbox is alone on its machine. */
export interface Sleeper {
  readonly command: string;
  /** A line of a shell that prints where it runs. */
  readonly look: string;
}

export function makeSleeper(): Sleeper {
  const command = `sleep ${randomInt(1_000_000, 9_000_000)}`;
  const isIt = `[ "$(tr "\\0" " " < $f)" = "${command} " ]`;
  const look = `for f in /proc/[0-9]*/cmdline; do ${isIt} && echo $f; done 2>/dev/null; true`;
  return { command, look };
}
