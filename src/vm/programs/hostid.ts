import { refuseExtraOperand } from "./options.ts";
import { defineProgram } from "./program.ts";

/** gethostid(3) of 127.0.0.1. */
const HOST_ID = "007f0100";

export const main = defineProgram(
  {
    name: "hostid",
    usage: ["[OPTION]"],
    summary: "Print the numeric identifier (in hexadecimal) for the current host.",
    options: [],
  },
  async (run) => {
    refuseExtraOperand(run.operands);
    run.out.addText(`${HOST_ID}\n`);
  },
);
