import { isKernelError } from "../../kernel/index.ts";
import { askYes } from "./ask-yes.ts";
import { backupOptions, readBackup } from "./backup.ts";
import { baseName, joinPath } from "./directory.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { relativePath } from "./relative-path.ts";
import { resolvePath } from "./resolve-path.ts";
import { findStat } from "./run-command.ts";

export const main = defineProgram(
  {
    name: "ln",
    usage: [
      "[OPTION]... [-T] TARGET LINK_NAME",
      "[OPTION]... TARGET",
      "[OPTION]... TARGET... DIRECTORY",
      "[OPTION]... -t DIRECTORY TARGET...",
    ],
    summary: "Create a link to TARGET with the name LINK_NAME.",
    options: [
      ...backupOptions,
      { short: "d", long: "directory", help: "(ignored: directories have one name)" },
      { short: "F", help: "(ignored: directories have one name)" },
      { short: "i", long: "interactive", help: "prompt whether to remove destinations" },
      { short: "L", long: "logical", help: "dereference TARGETs that are symbolic links" },
      { short: "P", long: "physical", help: "make hard links directly to symbolic links" },
      {
        short: "r",
        long: "relative",
        help: "with -s, create links relative to link location",
      },
      { short: "f", long: "force", help: "remove existing destination files" },
      {
        short: "n",
        long: "no-dereference",
        help: "treat LINK_NAME as a normal file if\nit is a symbolic link to a directory",
      },
      { short: "s", long: "symbolic", help: "make symbolic links instead of hard links" },
      {
        short: "t",
        long: "target-directory",
        value: "DIRECTORY",
        help: "specify the DIRECTORY in which to create\nthe links",
      },
      { short: "T", long: "no-target-directory", help: "treat LINK_NAME as a normal file always" },
      { short: "v", long: "verbose", help: "print name of each linked file" },
    ],
  },
  async (run) => {
    const { operands } = run;
    if (operands.length === 0) throw new UsageError("missing file operand");
    if (run.has("relative") && !run.has("symbolic"))
      throw new UsageError("cannot do --relative without --symbolic", { hasHint: false });
    const directory = run.options.get("target-directory");
    if (run.has("no-target-directory") && directory === undefined) checkTwo(operands);
    if (directory !== undefined) {
      await checkDirectory(run, directory);
      for (const target of operands) await link(run, target, joinPath(directory, baseName(target)));
      return;
    }
    const last = operands.at(-1) ?? "";
    const isInto =
      !run.has("no-target-directory") && (operands.length === 1 || (await isDirectory(run, last)));
    if (operands.length > 2 && !isInto) {
      await run.fail(
        `target ${quoteName(last)}: ${(await findStat(run.sys, last)) === undefined ? "No such file or directory" : "Not a directory"}`,
      );
      return;
    }
    if (!isInto) {
      await link(run, operands[0] ?? "", last);
      return;
    }
    const targets = operands.length === 1 ? operands : operands.slice(0, -1);
    for (const target of targets)
      await link(
        run,
        target,
        operands.length === 1 ? `./${baseName(target)}` : joinPath(last, baseName(target)),
      );
  },
);

function checkTwo([first = "", second, third]: readonly string[]): void {
  if (second === undefined)
    throw new UsageError(`missing destination file operand after ${quoteName(first)}`);
  if (third !== undefined) throw new UsageError(`extra operand ${quoteName(third)}`);
}

async function checkDirectory(run: Run, path: string): Promise<void> {
  if (run.has("no-target-directory"))
    throw new UsageError("cannot combine --target-directory and --no-target-directory", {
      hasHint: false,
    });
  try {
    if ((await run.sys.stat(path)).kind === "directory") return;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`failed to access ${quoteName(path)}: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
  throw new UsageError(`target ${quoteName(path)} is not a directory`, { hasHint: false });
}

async function isDirectory(run: Run, path: string): Promise<boolean> {
  return (await findStat(run.sys, path, run.has("no-dereference")))?.kind === "directory";
}

async function link(run: Run, target: string, path: string): Promise<void> {
  const { sys } = run;
  const isSymbolic = run.has("symbolic");
  const what = isSymbolic ? "symbolic link" : "hard link";
  if (!isSymbolic) {
    const stat = await findStat(sys, target, !run.has("logical"));
    if (stat === undefined)
      return run.fail(`failed to access ${quoteName(target)}: No such file or directory`);
    if (stat.kind === "directory")
      return run.fail(`${target}: hard link not allowed for directory`);
  }
  try {
    const kept = await clearPath(run, target, path);
    if (kept === undefined) return undefined;
    const text = run.has("relative") ? await relativeTarget(run, target, path) : target;
    const existing =
      run.has("logical") && !isSymbolic ? await resolvePath(sys, target, "all") : text;
    await (isSymbolic ? sys.symlink(text, path) : sys.link(existing, path));
    const backup = kept === "" ? "" : ` ~ ${quoteName(kept)}`;
    if (run.has("verbose"))
      run.out.addText(
        `${quoteName(path)}${backup} ${isSymbolic ? "->" : "=>"} ${quoteName(text)}\n`,
      );
    return undefined;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const arrow = isSymbolic ? (target === "" ? "->" : "") : error.errno === "EEXIST" ? "" : "=>";
    const tail = arrow === "" ? "" : ` ${arrow} ${quoteName(target)}`;
    await run.fail(`failed to create ${what} ${quoteName(path)}${tail}: ${errorWords(error)}`);
  }
}

/** Makes room: answers the name of a backup or "", undefined where the old file has to stay. */
async function clearPath(run: Run, target: string, path: string): Promise<string | undefined> {
  const { sys } = run;
  const existing = await findStat(sys, path, true);
  const backup = await readBackup(run);
  const mode = run.options.last("force", "interactive");
  if (existing === undefined || (mode === undefined && !backup.isWanted)) return "";
  if (existing.kind === "directory") {
    await run.fail(`${path}: cannot overwrite directory`);
    return undefined;
  }
  const source = await findStat(sys, target);
  if (source?.dev === existing.dev && source.ino === existing.ino && isSameName(target, path)) {
    await run.fail(`${quoteName(target)} and ${quoteName(path)} are the same file`);
    return undefined;
  }
  if (mode === "interactive" && !(await askYes(run, `${run.name}: replace ${quoteName(path)}? `)))
    return undefined;
  const kept = await backup.keep(path);
  if (kept === undefined) await sys.unlink(path);
  return kept ?? "";
}

function isSameName(one: string, other: string): boolean {
  const plain = (path: string): string => path.replace(/^(?:\.\/+)+/, "");
  return plain(one) === plain(other);
}

/** The target as seen from where the link is. */
async function relativeTarget(run: Run, target: string, path: string): Promise<string> {
  const at = path.lastIndexOf("/");
  const directory = await resolvePath(run.sys, at === -1 ? "." : path.slice(0, at + 1), "none");
  return relativePath(directory, await resolvePath(run.sys, target, "none"));
}
