import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords } from "./program.ts";
import { resolvePath } from "./resolve-path.ts";

export const main = defineProgram(
  {
    name: "realpath",
    usage: ["[OPTION]... FILE..."],
    summary: "Print the resolved absolute file name;\nall but the last component must exist",
    options: [
      { short: "e", long: "canonicalize-existing", help: "all components of the path must exist" },
      {
        short: "m",
        long: "canonicalize-missing",
        help: "no path components need exist or be a directory",
      },
      { short: "q", long: "quiet", help: "suppress most error messages" },
      { short: "s", long: "strip", help: "don't expand symlinks" },
      { short: "z", long: "zero", help: "end each output line with NUL, not newline" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const how = run.options.last("canonicalize-existing", "canonicalize-missing");
    const existence =
      how === "canonicalize-existing" ? "all" : how === "canonicalize-missing" ? "none" : "parents";
    for (const operand of run.operands) {
      try {
        run.out.addText(
          `${await resolvePath(run.sys, operand, existence)}${run.has("zero") ? "\0" : "\n"}`,
        );
      } catch (error) {
        if (!isKernelError(error)) throw error;
        run.status = 1;
        if (!run.has("quiet"))
          await run.warn(`${operand === "" ? "''" : operand}: ${errorWords(error)}`);
      }
    }
  },
);
