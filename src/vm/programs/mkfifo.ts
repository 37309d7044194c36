import { isKernelError } from "../../kernel/index.ts";
import { changeMode } from "./file-mode.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName } from "./program.ts";
import { contextOptions, warnContext } from "./security-context.ts";

export const main = defineProgram(
  {
    name: "mkfifo",
    usage: ["[OPTION]... NAME..."],
    summary: "Create named pipes (FIFOs) with the given NAMEs.",
    options: [
      ...contextOptions,
      {
        short: "m",
        long: "mode",
        value: "MODE",
        help: "set file permission bits to MODE, not a=rw - umask",
      },
    ],
  },
  async (run) => {
    await warnContext(run, "SELinux/SMACK");
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const text = run.options.get("mode");
    const mode =
      text === undefined
        ? undefined
        : changeMode({ mode: 0o666, isDirectory: false, umask: await run.sys.umask() }, text);
    if (text !== undefined && mode === undefined)
      throw new UsageError("invalid mode", { hasHint: false });
    for (const operand of run.operands) {
      try {
        await run.sys.mknod(operand, "fifo", 0o666);
        if (mode !== undefined) await run.sys.chmod(operand, mode);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(`cannot create fifo ${quoteName(operand)}: ${errorWords(error)}`);
      }
    }
  },
);
