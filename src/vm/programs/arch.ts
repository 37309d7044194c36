import { refuseExtraOperand } from "./options.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  { name: "arch", usage: ["[OPTION]..."], summary: "Print machine architecture.", options: [] },
  async (run) => {
    refuseExtraOperand(run.operands);
    run.out.addText(`${(await run.sys.uname()).machine}\n`);
  },
);
