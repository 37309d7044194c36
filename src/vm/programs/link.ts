import { isKernelError } from "../../kernel/index.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "link",
    usage: ["FILE1 FILE2", "OPTION"],
    summary: "Call the link function to create a link named FILE2 to an existing FILE1.",
    options: [],
  },
  async (run) => {
    const [from, to] = run.operands;
    if (from === undefined) throw new UsageError("missing operand");
    if (to === undefined) throw new UsageError(`missing operand after ${quoteName(from)}`);
    refuseExtraOperand(run.operands, 2);
    try {
      await run.sys.link(from, to);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(
        `cannot create link ${quoteName(to)} to ${quoteName(from)}: ${errorWords(error)}`,
      );
    }
  },
);
