import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "sync",
    usage: ["[OPTION] [FILE]..."],
    summary: "Write cached writes to persistent storage.",
    options: [
      { short: "d", long: "data", help: "sync only file data, no unneeded metadata" },
      { short: "f", long: "file-system", help: "sync the file systems that contain the files" },
    ],
  },
  async (run) => {
    if (run.has("data") && run.has("file-system"))
      throw new UsageError("cannot specify both --data and --file-system", { hasHint: false });
    if (run.has("data") && run.operands.length === 0)
      throw new UsageError("--data needs at least one argument", { hasHint: false });
    if (run.operands.length === 0) await run.sys.sync();
    for (const file of run.operands) {
      try {
        const fd = await run.sys.open(file, O_RDONLY | O_CLOEXEC);
        await run.sys.fsync(fd);
        await run.sys.close(fd);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(`error opening ${quoteName(file)}: ${errorWords(error)}`);
      }
    }
  },
);
