// A terminal of the host with a command on it, made by script(1).
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerCommand } from "../../e2e/mcp-clients.ts";
import { eventually } from "../../support/eventually.ts";

export class Terminal {
  readonly child: ChildProcessWithoutNullStreams;
  /** How much it has shown, in bytes. */
  shownBytes = 0;
  readonly #keptCharacters: number;
  #text = "";

  /** Runs a script for the host's shell. Keeps the last `keptCharacters` of what it shows. */
  constructor({ cwd, env }: ServerCommand, script: string, keptCharacters = 1 << 16) {
    this.#keptCharacters = keptCharacters;
    this.child = spawn("script", ["-qefc", script, "/dev/null"], { cwd, env });
    this.child.stdout.on("data", (chunk: Buffer) => {
      this.shownBytes += chunk.length;
      this.#text = (this.#text + chunk.toString()).slice(-this.#keptCharacters);
    });
    this.child.stdin.on("error", () => {});
  }

  /** What was shown, without colours and movements of the cursor. */
  get text(): string {
    // oxlint-disable-next-line no-control-regex -- escape sequences are what is taken out
    return this.#text.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, "");
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  async shows(text: string): Promise<void> {
    await eventually(`the terminal shows ${JSON.stringify(text)}`, () => this.text.includes(text));
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "close");
  }
}
