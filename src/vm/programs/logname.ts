import { NameDatabase } from "./name-database.ts";
import { refuseExtraOperand } from "./options.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "logname",
    usage: ["[OPTION]"],
    summary: "Print the user's login name.",
    options: [],
  },
  async (run) => {
    refuseExtraOperand(run.operands);
    const { uid } = await run.sys.getcredentials();
    run.out.addText(`${await new NameDatabase(run.sys).userName(uid)}\n`);
  },
);
