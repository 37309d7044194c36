import { NameDatabase } from "./name-database.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "groups",
    usage: ["[OPTION]... [USERNAME]..."],
    summary:
      "Print group memberships for each USERNAME or, if no USERNAME is specified, for\nthe current process (which may differ if the groups database has changed).",
    options: [],
  },
  async (run) => {
    const names = new NameDatabase(run.sys);
    if (run.operands.length === 0) {
      const { gid, groups } = await run.sys.getcredentials();
      const shown = [...new Set([gid, ...groups])].map((one) => names.groupName(one));
      run.out.addText(`${(await Promise.all(shown)).join(" ")}\n`);
    }
    for (const name of run.operands) {
      const user = await names.findUser(name);
      if (user === undefined) {
        await run.fail(`'${name}': no such user`);
        continue;
      }
      const others = (await names.groups()).filter(({ members }) => members.includes(name));
      const shown = new Set([await names.groupName(user.gid), ...others.map((row) => row.name)]);
      run.out.addText(`${name} : ${[...shown].join(" ")}\n`);
    }
  },
);
