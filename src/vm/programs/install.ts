import { isKernelError } from "../../kernel/index.ts";
import { backupOptions, readBackup } from "./backup.ts";
import { TreeCopy } from "./copy-tree.ts";
import { chooseTarget } from "./cp.ts";
import { targetPath } from "./directory.ts";
import { changeMode } from "./file-mode.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";
import { findStat } from "./run-command.ts";
import { contextOptions, warnContext } from "./security-context.ts";

export const main = defineProgram(
  {
    name: "install",
    usage: [
      "[OPTION]... [-T] SOURCE DEST",
      "[OPTION]... SOURCE... DIRECTORY",
      "[OPTION]... -t DIRECTORY SOURCE...",
      "[OPTION]... -d DIRECTORY...",
    ],
    summary: "Copy files into place with the attributes they are to have.",
    options: [
      ...contextOptions,
      ...backupOptions,
      { short: "c", help: "(ignored)" },
      {
        short: "C",
        long: "compare",
        help: "compare content of source and destination files, and\nif no change to content, ownership, and permissions,\ndo not modify the destination at all",
      },
      {
        short: "d",
        long: "directory",
        help: "treat all arguments as directory names; create all\ncomponents of the specified directories",
      },
      {
        short: "D",
        help: "create all leading components of DEST except the last,\nor all components of --target-directory,\nthen copy SOURCE to DEST",
      },
      {
        short: "g",
        long: "group",
        value: "GROUP",
        help: "set group ownership, instead of process' current group",
      },
      {
        short: "m",
        long: "mode",
        value: "MODE",
        help: "set permission mode (as in chmod), instead of rwxr-xr-x",
      },
      { short: "o", long: "owner", value: "OWNER", help: "set ownership (super-user only)" },
      {
        short: "p",
        long: "preserve-timestamps",
        help: "apply access/modification times of SOURCE files\nto corresponding destination files",
      },
      { long: "preserve-context", help: "(ignored: files have no security context)" },
      { long: "strip-program", value: "PROGRAM", help: "(ignored: there are no symbol tables)" },
      { short: "s", long: "strip", help: "(ignored: there are no symbol tables)" },
      {
        short: "t",
        long: "target-directory",
        value: "DIRECTORY",
        help: "copy all SOURCE arguments into DIRECTORY",
      },
      { short: "T", long: "no-target-directory", help: "treat DEST as a normal file" },
      { short: "v", long: "verbose", help: "print the name of each directory as it is created" },
    ],
  },
  async (run) => {
    await warnContext(run, "SELinux");
    if (run.has("preserve-context"))
      await run.warn("WARNING: ignoring --preserve-context; this kernel is not SELinux-enabled");
    const attributes = await readAttributes(run);
    if (run.has("directory")) {
      if (run.operands.length === 0) throw new UsageError("missing file operand");
      for (const path of run.operands) await makeDirectories(run, path, attributes);
      return;
    }
    await makeLeading(run);
    const given = run.options.get("target-directory");
    if (given !== undefined && (await findStat(run.sys, given)) === undefined) {
      throw new UsageError(`failed to access ${quoteName(given)}: No such file or directory`, {
        hasHint: false,
      });
    }
    const { sources, to, directory } = await chooseTarget(run, "copy");
    for (const source of sources)
      await installOne(run, source, targetPath(directory, source, to), attributes);
  },
);

interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

async function readAttributes(run: Run): Promise<Attributes> {
  const text = run.options.get("mode");
  const mode =
    text === undefined ? 0o755 : changeMode({ mode: 0, isDirectory: false, umask: 0 }, text);
  if (mode === undefined)
    throw new UsageError(`invalid mode ${quoteName(text ?? "")}`, { hasHint: false });
  const names = new NameDatabase(run.sys);
  const owner = run.options.get("owner");
  const group = run.options.get("group");
  const uid = owner === undefined ? -1 : ((await names.findUser(owner))?.uid ?? numberOf(owner));
  const gid = group === undefined ? -1 : ((await names.findGroup(group))?.gid ?? numberOf(group));
  if (uid === undefined)
    throw new UsageError(`invalid user ${quoteName(owner ?? "")}`, { hasHint: false });
  if (gid === undefined)
    throw new UsageError(`invalid group ${quoteName(group ?? "")}`, { hasHint: false });
  return { mode, uid, gid };
}

function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** `-D`: the directories before the destination. */
async function makeLeading(run: Run): Promise<void> {
  if (!run.has("D")) return;
  const given = run.options.get("target-directory");
  const to = given ?? run.operands.at(-1) ?? "";
  const at = given === undefined ? to.replace(/\/+$/, "").lastIndexOf("/") : to.length;
  if (at > 0) await makeDirectories(run, to.slice(0, at), { mode: 0o755, uid: -1, gid: -1 });
}

/** Every directory on the way; the attributes are the last one's. */
async function makeDirectories(run: Run, path: string, attributes: Attributes): Promise<void> {
  const names = path.split("/").filter((name) => name !== "");
  let at = path.startsWith("/") ? "" : undefined;
  for (const name of names) {
    at = at === undefined ? name : `${at}/${name}`;
    if ((await findStat(run.sys, at))?.kind === "directory") continue;
    try {
      await run.sys.mkdir(at, 0o755);
      if (run.has("verbose")) run.out.addText(`install: creating directory ${quoteName(at)}\n`);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`cannot create directory ${quoteName(at)}: ${errorWords(error)}`);
      return;
    }
  }
  await apply(run, path, attributes);
}

async function installOne(
  run: Run,
  source: string,
  to: string,
  attributes: Attributes,
): Promise<void> {
  const stat = await findStat(run.sys, source);
  if (stat?.kind === "directory") {
    await run.fail(`omitting directory ${quoteName(source)}`);
    return;
  }
  if (run.has("compare") && (await isInstalled(run, source, to, attributes))) return;
  const backup = await readBackup(run);
  const kept = await backup.keep(to);
  const existing = await findStat(run.sys, to, true);
  if (
    existing !== undefined &&
    existing.kind !== "directory" &&
    stat !== undefined &&
    existing.ino !== stat.ino
  )
    await removeOld(run, to);
  const copy = new TreeCopy(run, {
    isRecursive: false,
    follows: "all",
    keepsMode: false,
    keepsOwner: false,
    keepsTimes: run.has("preserve-timestamps"),
    isForced: true,
    isVerbose: run.has("verbose") && kept === undefined,
    mayOverwrite: async () => true,
  });
  if (!(await copy.copyOperand(source, to))) return;
  if (run.has("verbose") && kept !== undefined)
    run.out.addText(`${quoteName(source)} -> ${quoteName(to)} (backup: ${quoteName(kept)})\n`);
  await apply(run, to, attributes);
}

/** `-C`: the same bytes and mode are there already. */
async function isInstalled(
  run: Run,
  source: string,
  to: string,
  { mode }: Attributes,
): Promise<boolean> {
  const [one, two] = [await findStat(run.sys, source), await findStat(run.sys, to, true)];
  if (one?.kind !== "file" || two?.kind !== "file") return false;
  if (one.size !== two.size || two.mode !== mode || one.size > COMPARED_BYTES) return false;
  const bytes: Uint8Array[] = [];
  for (const [at, path] of [source, to].entries())
    await run.withInput(path, async (fd) => {
      bytes[at] = await readAllBytes(run.sys, fd);
    });
  const [a = new Uint8Array(), b = new Uint8Array()] = bytes;
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Larger files are copied without a look. */
const COMPARED_BYTES = 8 * 1024 * 1024;

async function removeOld(run: Run, to: string): Promise<void> {
  await run.sys.unlink(to);
  if (run.has("verbose")) run.out.addText(`removed ${quoteName(to)}\n`);
}

async function apply(run: Run, path: string, { mode, uid, gid }: Attributes): Promise<void> {
  try {
    if (uid !== -1 || gid !== -1) await run.sys.chown(path, uid, gid);
    await run.sys.chmod(path, mode);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const verb =
      error.errno === "EPERM" ? "cannot change ownership of" : "cannot change permissions of";
    await run.fail(`${verb} ${quoteName(path)}: ${errorWords(error)}`);
  }
}
