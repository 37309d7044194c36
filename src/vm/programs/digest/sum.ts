import { defineProgram } from "../program.ts";
import { writeNumberSum } from "./number-sums.ts";

export const main = defineProgram(
  {
    name: "sum",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Print a 16-bit checksum and the number of blocks of each FILE.",
    options: [
      { short: "r", help: "BSD's sum, with blocks of 1024 bytes (default)" },
      { short: "s", long: "sysv", help: "System V's sum, with blocks of 512 bytes" },
    ],
  },
  async (run) => {
    const kind = run.options.last("r", "sysv") === "sysv" ? "sysv" : "bsd";
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands)
      await writeNumberSum(run, kind, operand);
  },
);
