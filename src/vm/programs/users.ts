import { refuseExtraOperand } from "./options.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "users",
    usage: ["[OPTION]... [FILE]"],
    summary: "Print who is logged in. Nobody logs into a VM: this prints nothing.",
    options: [],
  },
  async ({ operands }) => {
    refuseExtraOperand(operands, 1);
  },
);
