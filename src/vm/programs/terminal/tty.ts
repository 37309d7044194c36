import { errnoWords, isKernelError } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, quoteName } from "../program.ts";

export const main = defineProgram(
  {
    name: "tty",
    usage: ["[OPTION]..."],
    summary: "Print the file name of the terminal connected to standard input.",
    options: [
      { short: "s", long: "silent", help: "print nothing, only return an exit status" },
      { long: "quiet", help: "the same as --silent" },
    ],
    refusal: 2,
  },
  async (run) => {
    const [extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const isSilent = run.has("silent") || run.has("quiet");
    try {
      await run.sys.ioctl(0, { request: "TIOCGWINSZ" });
      if (!isSilent) run.out.addText(`${await run.sys.readlink("/proc/self/fd/0")}\n`);
      return 0;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (isSilent) return error.errno === "EBADF" ? 2 : 1;
      if (error.errno === "EBADF") run.status = 2;
      run.out.addText(error.errno === "EBADF" ? `${errnoWords(error.errno)}\n` : "not a tty\n");
      return 1;
    }
  },
);
