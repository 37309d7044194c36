// A command for people, run to its end without a terminal.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Installation } from "./installation.ts";
import type { TestHome } from "./test-home.ts";

export interface RanCommand {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCommand(
  installation: Installation,
  home: TestHome,
  words: readonly string[],
): Promise<RanCommand> {
  const child = spawn(process.execPath, [installation.binFile, ...words], {
    env: home.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout, stderr };
}
