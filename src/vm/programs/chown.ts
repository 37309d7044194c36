import { isKernelError } from "../../kernel/index.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "chown",
    usage: ["[OPTION]... [OWNER][:[GROUP]] FILE...", "[OPTION]... --reference=RFILE FILE..."],
    summary: "Change the owner and/or group of each FILE to OWNER and/or GROUP.",
    options: [
      { short: "f", long: "silent", help: "suppress most error messages" },
      { long: "quiet", help: "suppress most error messages" },
      {
        short: "h",
        long: "no-dereference",
        help: "affect symbolic links instead of any referenced file",
      },
      { long: "reference", value: "RFILE", help: "use RFILE's owner and group" },
      { short: "R", long: "recursive", help: "operate on files and directories recursively" },
      { short: "v", long: "verbose", help: "(ignored)" },
    ],
  },
  async (run) => {
    const reference = run.options.get("reference");
    const [owner, ...rest] = run.operands;
    const files = reference === undefined ? rest : run.operands;
    if (owner === undefined) throw new UsageError("missing operand");
    if (files.length === 0) throw new UsageError(`missing operand after ${quoteName(owner)}`);
    const wanted =
      reference === undefined ? await readOwner(run, owner) : await run.sys.stat(reference);
    for (const file of files) await change(run, file, wanted);
  },
);

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

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
  const uid =
    userText === "" ? -1 : (user?.uid ?? (/^\d+$/.test(userText) ? Number(userText) : undefined));
  if (uid === undefined)
    throw new UsageError(`invalid user: ${quoteName(text)}`, { hasHint: false });
  if (groupText === "") return { uid, gid: at !== -1 && user !== undefined ? user.gid : -1 };
  const gid = group?.gid ?? (/^\d+$/.test(groupText) ? Number(groupText) : undefined);
  if (gid === undefined)
    throw new UsageError(`invalid group: ${quoteName(text)}`, { hasHint: false });
  return { uid, gid };
}

async function change(run: Run, path: string, wanted: Owner): Promise<void> {
  const { sys } = run;
  try {
    const { kind } = await sys.lstat(path);
    const isLink = run.has("no-dereference") || (kind === "symlink" && run.has("recursive"));
    await (isLink
      ? sys.lchown(path, wanted.uid, wanted.gid)
      : sys.chown(path, wanted.uid, wanted.gid));
    if (kind !== "directory" || !run.has("recursive")) return;
    for (const { name } of await readDirectory(sys, path))
      await change(run, joinPath(path, name), wanted);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    run.status = 1;
    if (run.has("silent") || run.has("quiet")) return;
    const verb = error.errno === "EPERM" ? "changing ownership of" : "cannot access";
    await run.warn(`${verb} ${quoteName(path)}: ${errorWords(error)}`);
  }
}
