// One program that the comparison needs to have run, such as git or the build of the other commit.
import { spawn } from "node:child_process";

export interface Step {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** An abort kills it and all it has started. */
  readonly signal: AbortSignal;
}

/** What it printed. Throws with what it said when it fails. */
export async function runStep({ file, args, cwd, signal }: Step): Promise<string> {
  signal.throwIfAborted();
  // A group of its own: an interrupt from the keyboard must not end a part of it and leave the rest.
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  signal.addEventListener("abort", kill);
  let said = "";
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-4000);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("close", resolve);
    });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`${said}${printed.slice(-4000)}`.trim());
    return printed.trim();
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
