import { isKernelError, type Stat } from "../../kernel/index.ts";
import { askYes } from "./ask-yes.ts";
import { type Backup, backupOptions, readBackup } from "./backup.ts";
import { TreeCopy } from "./copy-tree.ts";
import { chooseTarget } from "./cp.ts";
import { joinPath, readDirectory, targetPath } from "./directory.ts";
import { MetOperands } from "./met-operands.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

export const main = defineProgram(
  {
    name: "mv",
    usage: [
      "[OPTION]... [-T] SOURCE DEST",
      "[OPTION]... SOURCE... DIRECTORY",
      "[OPTION]... -t DIRECTORY SOURCE...",
    ],
    summary: "Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.",
    options: [
      ...backupOptions,
      { short: "f", long: "force", help: "do not prompt before overwriting" },
      { short: "i", long: "interactive", help: "prompt before overwrite" },
      {
        long: "strip-trailing-slashes",
        help: "remove any trailing slashes from each SOURCE argument",
      },
      { short: "n", long: "no-clobber", help: "do not overwrite an existing file" },
      {
        short: "t",
        long: "target-directory",
        value: "DIRECTORY",
        help: "move all SOURCE arguments into DIRECTORY",
      },
      { short: "T", long: "no-target-directory", help: "treat DEST as a normal file" },
      {
        short: "u",
        long: "update",
        help: "move only when the SOURCE file is newer\nthan the destination file",
      },
      { short: "v", long: "verbose", help: "explain what is being done" },
      { short: "Z", long: "context", help: "(ignored: files have no security context)" },
    ],
  },
  async (run) => {
    const { sources, to, directory } = await chooseTarget(run, "move");
    const backup = await readBackup(run);
    const met = new MetOperands(run, backup.isWanted);
    for (const source of sources) {
      const path = source.replace(/(.)\/+$/s, "$1");
      const from = run.has("strip-trailing-slashes") ? path : source;
      const target = targetPath(directory, path, to);
      if (sources.length > 1 && (await met.refuses(from, target))) continue;
      await move(run, from, target, backup);
    }
  },
);

async function move(run: Run, from: string, to: string, backup: Backup): Promise<void> {
  const { sys } = run;
  try {
    const stat = await sys.lstat(from);
    const existing = await findStat(sys, to, true);
    if (existing !== undefined && !(await mayReplace(run, { from, to, stat, existing }))) return;
    let kept: string | undefined;
    try {
      if (existing?.kind !== "directory") kept = await backup.keep(to);
      await sys.rename(from, to);
    } catch (error) {
      if (!isKernelError(error, "EXDEV")) throw new MoveFailure(error, from, to);
      await moveByCopy(run, from, to);
      return;
    }
    const tail = kept === undefined ? "" : ` (backup: ${quoteName(kept)})`;
    if (run.has("verbose"))
      run.out.addText(`renamed ${quoteName(from)} -> ${quoteName(to)}${tail}\n`);
  } catch (error) {
    if (error instanceof MoveFailure && isKernelError(error.cause)) {
      await run.fail(error.describe(errorWords(error.cause)));
      return;
    }
    if (!isKernelError(error)) throw error;
    await run.fail(`cannot stat ${quoteName(from)}: ${errorWords(error)}`);
  }
}

/** A rename that failed: what is said depends on why. */
class MoveFailure extends Error {
  readonly #from: string;
  readonly #to: string;

  constructor(cause: unknown, from: string, to: string) {
    super("rename failed", { cause });
    this.#from = from;
    this.#to = to;
  }

  describe(words: string): string {
    if (isKernelError(this.cause, "EINVAL")) {
      return `cannot move ${quoteName(this.#from)} to a subdirectory of itself, ${quoteName(this.#to)}`;
    }
    return `cannot move ${quoteName(this.#from)} to ${quoteName(this.#to)}: ${words}`;
  }
}

interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly stat: Stat;
  readonly existing: Stat;
}

async function mayReplace(run: Run, { from, to, stat, existing }: Replacement): Promise<boolean> {
  const mode = run.options.last("force", "interactive", "no-clobber");
  if (mode === "no-clobber") return false;
  if (run.has("update") && stat.mtimeMs <= existing.mtimeMs) return false;
  if (stat.dev === existing.dev && stat.ino === existing.ino) {
    await run.fail(`${quoteName(from)} and ${quoteName(to)} are the same file`);
    return false;
  }
  if (existing.kind === "directory" && stat.kind !== "directory") {
    await run.fail(`cannot overwrite directory ${quoteName(to)} with non-directory`);
    return false;
  }
  if (existing.kind !== "directory" && stat.kind === "directory") {
    await run.fail(
      `cannot overwrite non-directory ${quoteName(to)} with directory ${quoteName(from)}`,
    );
    return false;
  }
  return mode !== "interactive" || askYes(run, `mv: overwrite ${quoteName(to)}? `);
}

/** To another file system: a whole copy, then the original goes. */
async function moveByCopy(run: Run, from: string, to: string): Promise<void> {
  const copy = new TreeCopy(run, {
    isRecursive: true,
    follows: "none",
    keepsMode: true,
    keepsOwner: true,
    keepsTimes: true,
    isForced: true,
    isVerbose: false,
    mayOverwrite: async () => true,
  });
  if (!(await copy.copyOperand(from, to))) return;
  await removeTree(run, from);
  if (run.has("verbose"))
    run.out.addText(`copied ${quoteName(from)} -> ${quoteName(to)}\nremoved ${quoteName(from)}\n`);
}

async function removeTree(run: Run, path: string): Promise<void> {
  const { sys } = run;
  if ((await sys.lstat(path)).kind !== "directory") return sys.unlink(path);
  for (const { name } of await readDirectory(sys, path))
    await removeTree(run, joinPath(path, name));
  return sys.rmdir(path);
}
