import { shellStatus } from "../../kernel/index.ts";
import { becomeCommand } from "./become-command.ts";
import { UsageError } from "./options.ts";
import { defineProgram, Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "setsid",
    usage: ["[options] <program> [arguments ...]"],
    summary: "Run a program in a new session.",
    options: [
      { short: "c", long: "ctty", help: "set the controlling terminal to the current one" },
      { short: "f", long: "fork", help: "always fork" },
      { short: "w", long: "wait", help: "wait program to exit, and use the same return" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("no command specified");
    const { sys } = run;
    const isLeader = (await sys.getpgid(0)) === (await sys.getpid());
    if (!isLeader && !run.has("fork")) {
      await sys.setsid();
      return becomeCommand(run, run.operands, { describe });
    }
    const pid = await sys.clone(async (child) => {
      await child.setsid();
      const inner = new Run(child, run.name, run.options);
      return becomeCommand(inner, run.operands, { describe });
    });
    if (!run.has("wait")) return 0;
    const ended = await sys.wait({ pid });
    return ended === undefined ? 0 : shellStatus(ended.status);
  },
);

function describe(name: string): string {
  return `failed to execute ${name}`;
}
