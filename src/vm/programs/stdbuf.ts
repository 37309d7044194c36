import { becomeCommand } from "./become-command.ts";
import { parseCount } from "./count-argument.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

// Deviation: `stdbuf` runs its command as it is: programs here write whole blocks, or lines to a terminal.
export const main = defineProgram(
  {
    name: "stdbuf",
    usage: ["OPTION... COMMAND"],
    summary: "Run COMMAND, with modified buffering operations for its standard streams.",
    options: [
      { short: "i", long: "input", value: "MODE", help: "adjust standard input stream buffering" },
      {
        short: "o",
        long: "output",
        value: "MODE",
        help: "adjust standard output stream buffering",
      },
      { short: "e", long: "error", value: "MODE", help: "adjust standard error stream buffering" },
    ],
    refusal: 125,
    stopsAtOperand: true,
  },
  async (run) => {
    for (const name of ["input", "output", "error"]) {
      for (const mode of run.options.all(name)) {
        if (mode === "L" && name === "input")
          throw new UsageError("line buffering stdin is meaningless");
        if (mode !== "L" && parseCount(mode) === undefined)
          throw new UsageError(`invalid mode ${quoteName(mode)}`, { hasHint: false });
      }
    }
    if (run.operands.length === 0) throw new UsageError("missing operand");
    if (run.options.order.length === 0)
      throw new UsageError("you must specify a buffering mode option");
    return becomeCommand(run, run.operands);
  },
);
