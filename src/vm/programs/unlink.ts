import { isKernelError } from "../../kernel/index.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "unlink",
    usage: ["FILE", "OPTION"],
    summary: "Call the unlink function to remove the specified FILE.",
    options: [],
  },
  async (run) => {
    const [file] = run.operands;
    if (file === undefined) throw new UsageError("missing operand");
    refuseExtraOperand(run.operands, 1);
    try {
      await run.sys.unlink(file);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`cannot unlink ${quoteName(file)}: ${errorWords(error)}`);
    }
  },
);
