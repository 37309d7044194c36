import { becomeCommand } from "./become-command.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

// Deviation: `nice` runs its command at priority 0: processes of a VM take fair turns.
export const main = defineProgram(
  {
    name: "nice",
    usage: ["[OPTION] [COMMAND [ARG]...]"],
    summary: "Run COMMAND with an adjusted niceness, which affects process scheduling.",
    options: [
      {
        short: "n",
        long: "adjustment",
        value: "N",
        help: "add integer N to the niceness (default 10)",
      },
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "N",
        isOptional: true,
        help: "same as -n",
      })),
    ],
    refusal: 125,
    stopsAtOperand: true,
  },
  async (run) => {
    const adjustment = run.options.get("adjustment");
    if (adjustment !== undefined && !/^\s*[-+]?\d+$/.test(adjustment))
      throw new UsageError(`invalid adjustment ${quoteName(adjustment)}`, { hasHint: false });
    if (run.operands.length > 0) return becomeCommand(run, run.operands, { describe: quoteName });
    if (adjustment !== undefined)
      throw new UsageError("a command must be given with an adjustment");
    run.out.addText("0\n");
    return 0;
  },
);
