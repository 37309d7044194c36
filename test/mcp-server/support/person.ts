// A person at a terminal of their own: no MCP client is above its processes. Made by setsid(1) and script(1).
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { ServerCommand } from "../../e2e/mcp-clients.ts";

export interface PersonSaw {
  readonly status: number;
  /** Without the carriage returns of a terminal. */
  readonly text: string;
}

/** Whether the person agrees to what they read, and how they go through long texts. */
export interface PersonAnswer {
  readonly agrees?: boolean;
  /** What they type at the end of each screen. */
  readonly more?: string;
}

/** Runs a command of ours; types the code that it shows. */
export async function runAsPerson(
  { command, args: own, cwd, env }: ServerCommand,
  args: readonly string[],
  { agrees = true, more = "a" }: PersonAnswer = {},
): Promise<PersonSaw> {
  const words = [command, ...own, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const script = `${words.join(" ")}; echo "status $?."`;
  // Standard input would be closed with the first process, which ends at once: its keys come by another descriptor.
  const detached = 'exec setsid --fork script -qfc "$0" /dev/null <&3';
  const child = spawn("sh", ["-c", detached, script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const keys = child.stdio[3] as Writable;
  const output = child.stdout as Readable;
  let text = "";
  let read = 0;
  keys.on("error", () => {});
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    for (;;) {
      const rest = text.slice(read);
      const [prompt, code] = /q: stop -- |type (\d+)\.[^\n]*Code: /.exec(rest) ?? [];
      if (prompt === undefined) return;
      read = text.length;
      if (code === undefined) keys.write(`${more}\n`);
      else keys.write(`${agrees ? code : "no"}\n`);
    }
  });
  await once(output, "close");
  const [, status = "-1"] = /status (\d+)\.\s*$/.exec(text) ?? [];
  return {
    status: Number(status),
    text: text.replaceAll("\r", "").replace(/status \d+\.\s*$/, ""),
  };
}
