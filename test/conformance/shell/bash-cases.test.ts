import { runCase } from "../../support/bash-cases.ts";
import { describeBashCases } from "./describe-bash-cases.ts";

describeBashCases("in the machine that a cell boots", async () => ({
  parallel: 1,
  run: runCase,
  close: async () => {},
}));
