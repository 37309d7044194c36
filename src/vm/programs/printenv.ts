import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "printenv",
    usage: ["[OPTION]... [VARIABLE]..."],
    summary:
      "Print the values of the specified environment VARIABLE(s).\nIf no VARIABLE is specified, print name and value pairs for them all.",
    options: [{ short: "0", long: "null", help: "end each output line with NUL, not newline" }],
    refusal: 2,
    stopsAtOperand: true,
  },
  async (run) => {
    const environment = await run.sys.environ();
    const end = run.has("null") ? "\0" : "\n";
    if (run.operands.length === 0)
      for (const [name, value] of environment) run.out.addText(`${name}=${value}${end}`);
    for (const name of run.operands) {
      const value = environment.get(name);
      if (value === undefined) run.status = 1;
      else run.out.addText(`${value}${end}`);
    }
  },
);
