import { decodeText, type Sys, shellStatus } from "../../kernel/index.ts";
import { parseDuration } from "./duration.ts";
import { formatTime } from "./format-time.ts";
import { findWindowSize } from "./is-terminal.ts";
import { UsageError } from "./options.ts";
import { defineProgram, type Run } from "./program.ts";

/** Of one picture: what does not fit the window is not shown. */
const PICTURE_BYTES = 1_048_576;
const CLEAR = "\u001B[H\u001B[2J";

export const main = defineProgram(
  {
    name: "watch",
    usage: ["[options] command"],
    summary: "Execute a program periodically, showing output fullscreen. Ctrl-C ends it.",
    options: [
      { short: "b", long: "beep", help: "beep if command has a non-zero exit" },
      { short: "c", long: "color", help: "interpret ANSI color and style sequences" },
      { short: "e", long: "errexit", help: "exit if command has a non-zero exit" },
      { short: "g", long: "chgexit", help: "exit when output from command changes" },
      { short: "n", long: "interval", value: "SECS", help: "seconds to wait between updates" },
      { short: "p", long: "precise", help: "attempt run command in precise intervals" },
      { short: "t", long: "no-title", help: "turn off header" },
      { short: "x", long: "exec", help: 'pass command to exec instead of "sh -c"' },
      { short: "d", long: "differences", value: "permanent", isOptional: true, help: "(ignored)" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("no command given");
    const text = run.options.get("interval") ?? "2";
    const intervalMs = parseDuration(text);
    if (intervalMs === undefined)
      throw new UsageError(`failed to parse argument: '${text}'`, { hasHint: false });
    return new Watching(run, Math.max(100, intervalMs)).run();
  },
);

class Watching {
  readonly #run: Run;
  readonly #intervalMs: number;
  #last: string | undefined;

  constructor(run: Run, intervalMs: number) {
    this.#run = run;
    this.#intervalMs = intervalMs;
  }

  async run(): Promise<number> {
    const { sys } = this.#run;
    for (;;) {
      const startMs = (await sys.clock()).monotonicMs;
      const { text, status } = await this.#picture();
      await this.#show(text);
      if (status !== 0 && this.#run.has("errexit")) return 8;
      if (this.#run.has("chgexit") && this.#last !== undefined && this.#last !== text) return 0;
      this.#last = text;
      const passedMs = this.#run.has("precise") ? (await sys.clock()).monotonicMs - startMs : 0;
      await sys.nanosleep(Math.max(1, this.#intervalMs - passedMs));
    }
  }

  /** The command's output and errors, up to what is kept. */
  async #picture(): Promise<{ readonly text: string; readonly status: number }> {
    const { sys, operands } = this.#run;
    const [read, write] = await sys.pipe();
    const argv = this.#run.has("exec")
      ? ["env", "--", ...operands]
      : ["sh", "-c", operands.join(" ")];
    const pid = await sys.spawn({
      path: this.#run.has("exec") ? "/usr/bin/env" : "/bin/sh",
      argv,
      fds: [
        { fd: 1, from: write },
        { fd: 2, from: write },
        { fd: read, close: true },
        { fd: write, close: true },
      ],
    });
    await sys.close(write);
    const text = await readPicture(sys, read);
    await sys.close(read);
    const ended = await sys.wait({ pid });
    return { text, status: ended === undefined ? 0 : shellStatus(ended.status) };
  }

  async #show(text: string): Promise<void> {
    const { sys, out, operands } = this.#run;
    const window = (await findWindowSize(sys, 1)) ?? { rows: 24, cols: 80 };
    const rows = window.rows > 0 ? window.rows : 24;
    const cols = window.cols > 0 ? window.cols : 80;
    const lines = text.replace(/\n$/, "").split("\n");
    const header = this.#run.has("no-title")
      ? []
      : [await this.#header(operands.join(" "), cols), ""];
    const shown = [...header, ...lines].slice(0, rows);
    out.addText(`${CLEAR}${shown.join("\r\n")}`);
    await out.flush();
  }

  async #header(command: string, cols: number): Promise<string> {
    const { sys } = this.#run;
    const { nodename } = await sys.uname();
    const right = `${nodename}: ${formatTime("%a %b %e %H:%M:%S %Y", (await sys.clock()).nowMs)}`;
    const left = `Every ${(this.#intervalMs / 1000).toFixed(1)}s: ${command}`;
    const room = Math.max(0, cols - right.length - 1);
    return `${left.slice(0, room).padEnd(room)} ${right}`;
  }
}

async function readPicture(sys: Sys, fd: number): Promise<string> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (let count = await sys.read(fd, buffer); count > 0; count = await sys.read(fd, buffer)) {
    if (text.length < PICTURE_BYTES) text += decodeText(buffer.subarray(0, count));
  }
  return text;
}
