import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords } from "./program.ts";
import { resolvePath } from "./resolve-path.ts";

export const main = defineProgram(
  {
    name: "readlink",
    usage: ["[OPTION]... FILE..."],
    summary: "Print value of a symbolic link or canonical file name",
    options: [
      {
        short: "f",
        long: "canonicalize",
        help: "canonicalize by following every symlink;\nall but the last component must exist",
      },
      { short: "e", long: "canonicalize-existing", help: "likewise; all components must exist" },
      {
        short: "m",
        long: "canonicalize-missing",
        help: "likewise, without requirements on components existence",
      },
      { short: "n", long: "no-newline", help: "do not output the trailing delimiter" },
      { short: "q", long: "quiet", help: "suppress most error messages" },
      { short: "s", long: "silent", help: "suppress most error messages" },
      { short: "v", long: "verbose", help: "report error messages" },
      { short: "z", long: "zero", help: "end each output line with NUL, not newline" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const how = run.options.last("canonicalize", "canonicalize-existing", "canonicalize-missing");
    const end =
      run.has("no-newline") && run.operands.length === 1 ? "" : run.has("zero") ? "\0" : "\n";
    if (run.has("no-newline") && run.operands.length > 1)
      await run.warn("ignoring --no-newline with multiple arguments");
    for (const operand of run.operands) {
      try {
        const existence =
          how === "canonicalize-existing"
            ? "all"
            : how === "canonicalize-missing"
              ? "none"
              : "parents";
        const text =
          how === undefined
            ? await run.sys.readlink(operand)
            : await resolvePath(run.sys, operand, existence);
        run.out.addText(`${text}${end}`);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        run.status = 1;
        if (run.has("verbose")) await run.warn(`${operand}: ${errorWords(error)}`);
      }
    }
  },
);
