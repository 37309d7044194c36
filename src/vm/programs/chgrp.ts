import { changeOwners, ownerOptions } from "./change-owner.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "chgrp",
    usage: ["[OPTION]... GROUP FILE...", "[OPTION]... --reference=RFILE FILE..."],
    summary: "Change the group of each FILE to GROUP.",
    options: ownerOptions("group"),
  },
  (run) => changeOwners(run, "group", readGroup),
);

async function readGroup(run: Run, text: string): Promise<{ uid: number; gid: number }> {
  const number = /^\d+$/.test(text) ? Number(text) : undefined;
  const group = text === "" ? undefined : await new NameDatabase(run.sys).findGroup(number ?? text);
  const gid = text === "" ? -1 : (group?.gid ?? number);
  if (gid === undefined)
    throw new UsageError(`invalid group: ${quoteName(text)}`, { hasHint: false });
  return { uid: -1, gid };
}
