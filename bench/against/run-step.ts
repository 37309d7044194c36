// One program that the comparison needs to have run, such as git or the build of the other commit.
import { spawn } from "node:child_process";

export interface Step {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** An abort kills it and all it has started. */
  readonly signal: AbortSignal;
}

/** Programs say first what went wrong, and then a lot more. */
const SHOWN_LINES = 12;

/** What it printed. Throws with the first lines of what it said when it fails. */
export async function runStep({ file, args, cwd, signal }: Step): Promise<string> {
  signal.throwIfAborted();
  // A group of its own: an interrupt from the keyboard must not end a part of it and leave the rest.
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  signal.addEventListener("abort", kill);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(firstLines(`${said}${printed}`));
    return printed.trim();
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

function firstLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rest = lines.length - SHOWN_LINES;
  const end = rest > 0 ? [`… and ${rest} more lines`] : [];
  return [...lines.slice(0, SHOWN_LINES), ...end].join("\n");
}
