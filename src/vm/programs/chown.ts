import { changeOwners, type Owner, ownerOptions } from "./change-owner.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "chown",
    usage: ["[OPTION]... [OWNER][:[GROUP]] FILE...", "[OPTION]... --reference=RFILE FILE..."],
    summary: "Change the owner and/or group of each FILE to OWNER and/or GROUP.",
    options: ownerOptions("ownership"),
  },
  (run) => changeOwners(run, "ownership", readOwner),
);

/** `owner`, `owner:group`, `owner:`, `:group`; -1 keeps what is. */
async function readOwner(run: Run, text: string): Promise<Owner> {
  const names = new NameDatabase(run.sys);
  const at = text.search(/[:.]/);
  const userText = at === -1 ? text : text.slice(0, at);
  const groupText = at === -1 ? "" : text.slice(at + 1);
  const user =
    userText === ""
      ? undefined
      : await names.findUser(/^\d+$/.test(userText) ? Number(userText) : userText);
  const group =
    groupText === ""
      ? undefined
      : await names.findGroup(/^\d+$/.test(groupText) ? Number(groupText) : groupText);
  const uid = userText === "" ? -1 : (user?.uid ?? readId(userText));
  if (uid === undefined)
    throw new UsageError(`invalid user: ${quoteName(text)}`, { hasHint: false });
  if (/^\d+$/.test(userText) && groupText === "" && at !== -1)
    throw new UsageError(`invalid spec: ${quoteName(text)}`, { hasHint: false });
  if (groupText === "") return { uid, gid: at !== -1 && user !== undefined ? user.gid : -1 };
  const gid = group?.gid ?? readId(groupText);
  if (gid === undefined)
    throw new UsageError(`invalid group: ${quoteName(text)}`, { hasHint: false });
  return { uid, gid };
}

/** The highest number means "keep" to chown(2). */
const ID_MAX = 4_294_967_294;

function readId(text: string): number | undefined {
  return /^\+?\d+$/.test(text) && Number(text) <= ID_MAX ? Number(text) : undefined;
}
