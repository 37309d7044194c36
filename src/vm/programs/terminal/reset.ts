/** `reset`: a terminal that a program has left in disorder, as it was at the start. */
import { isKernelError } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, quoteName } from "../program.ts";
import { saneTermios } from "../stty/modes.ts";
import { findTerminal } from "./capabilities.ts";

export const main = defineProgram(
  {
    name: "reset",
    usage: ["[OPTION]... [TERMINAL]"],
    summary: "Bring the terminal's settings and its screen back to what they are at the start.",
    options: [
      { short: "Q", help: "do not tell which characters edit the line" },
      { short: "q", help: "only print the terminal's name" },
    ],
  },
  async (run) => {
    const [named, extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const term = named ?? (await run.sys.environ()).get("TERM") ?? "dumb";
    if (run.has("q")) {
      run.out.addText(`${term}\n`);
      return 0;
    }
    const fd = await findTerminalFd(run.sys);
    if (fd === undefined) {
      await run.fail("terminal attributes: No such device or address\n", 1);
      return 1;
    }
    const termios = await run.sys.ioctl(fd, { request: "TCGETS" });
    if (typeof termios === "object" && "lflag" in termios)
      await run.sys.ioctl(fd, { request: "TCSETS", termios: saneTermios(termios) });
    const terminal = findTerminal(term);
    if (terminal === undefined) {
      await run.fail(`unknown terminal type ${term}`);
      return 1;
    }
    run.out.addText(["rs1", "rs2"].map((name) => terminal.strings.get(name) ?? "").join(""));
    return 0;
  },
);

async function findTerminalFd(sys: Parameters<typeof main>[0]): Promise<number | undefined> {
  for (const fd of [2, 1, 0]) {
    try {
      await sys.ioctl(fd, { request: "TCGETS" });
      return fd;
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
  return undefined;
}
