import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "whoami",
    usage: ["[OPTION]..."],
    summary: "Print the user name associated with the current effective user ID.",
    options: [],
  },
  async (run) => {
    const [extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const { euid } = await run.sys.getcredentials();
    const user = await new NameDatabase(run.sys).findUser(euid);
    if (user === undefined)
      throw new UsageError(`cannot find name for user ID ${euid}`, { hasHint: false });
    run.out.addText(`${user.name}\n`);
  },
);
