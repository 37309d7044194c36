import { askYes } from "./ask-yes.ts";
import { type CopyOptions, TreeCopy, targetPath } from "./copy-tree.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

export const main = defineProgram(
  {
    name: "cp",
    usage: [
      "[OPTION]... [-T] SOURCE DEST",
      "[OPTION]... SOURCE... DIRECTORY",
      "[OPTION]... -t DIRECTORY SOURCE...",
    ],
    summary: "Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.",
    options: [
      { short: "a", long: "archive", help: "same as -dR --preserve=all" },
      { short: "d", help: "same as --no-dereference --preserve=links" },
      {
        short: "f",
        long: "force",
        help: "if an existing destination file cannot be\nopened, remove it and try again",
      },
      { short: "i", long: "interactive", help: "prompt before overwrite" },
      { short: "H", help: "follow command-line symbolic links in SOURCE" },
      { short: "L", long: "dereference", help: "always follow symbolic links in SOURCE" },
      { short: "n", long: "no-clobber", help: "do not overwrite an existing file" },
      { short: "P", long: "no-dereference", help: "never follow symbolic links in SOURCE" },
      { short: "p", help: "same as --preserve=mode,ownership,timestamps" },
      {
        long: "preserve",
        value: "ATTR_LIST",
        isOptional: true,
        help: "preserve the specified attributes",
      },
      { short: "R", long: "recursive", help: "copy directories recursively" },
      { short: "r", help: "same as -R" },
      {
        short: "t",
        long: "target-directory",
        value: "DIRECTORY",
        help: "copy all SOURCE arguments into DIRECTORY",
      },
      { short: "T", long: "no-target-directory", help: "treat DEST as a normal file" },
      {
        short: "u",
        long: "update",
        help: "copy only when the SOURCE file is newer\nthan the destination file",
      },
      { short: "v", long: "verbose", help: "explain what is being done" },
    ],
  },
  async (run) => {
    const { sources, to, directory } = await chooseTarget(run, "copy");
    const copy = new TreeCopy(run, copyOptions(run));
    for (const source of sources) {
      const path = source.replace(/(.)\/+$/s, "$1");
      await copy.copyOperand(source, targetPath(directory, path, to));
    }
  },
);

interface Target {
  readonly sources: readonly string[];
  readonly to: string;
  /** Set where the sources go into a directory. */
  readonly directory: string | undefined;
}

/** Sources and destination of `cp` and `mv`. Fails with a UsageError in GNU's words. */
export async function chooseTarget(run: Run, verb: "copy" | "move"): Promise<Target> {
  const { operands, options, sys } = run;
  const given = options.get("target-directory");
  const [first] = operands;
  if (first === undefined) throw new UsageError("missing file operand");
  if (given !== undefined) {
    if ((await findStat(sys, given))?.kind !== "directory") {
      const words =
        (await findStat(sys, given)) === undefined
          ? "No such file or directory"
          : "Not a directory";
      throw new UsageError(`target directory ${quoteName(given)}: ${words}`, { hasHint: false });
    }
    return { sources: operands, to: given, directory: given };
  }
  const to = operands.at(-1) ?? "";
  if (operands.length === 1)
    throw new UsageError(`missing destination file operand after ${quoteName(first)}`);
  if (run.has("no-target-directory")) {
    if (operands.length > 2) throw new UsageError(`extra operand ${quoteName(operands[2] ?? "")}`);
    return { sources: [first], to, directory: undefined };
  }
  const isDirectory = (await findStat(sys, to))?.kind === "directory";
  if (operands.length > 2 && !isDirectory) {
    const words =
      (await findStat(sys, to)) === undefined ? "No such file or directory" : "Not a directory";
    throw new UsageError(`target ${quoteName(to)}: ${words}`, { hasHint: false });
  }
  if (
    !isDirectory &&
    to.endsWith("/") &&
    verb === "copy" &&
    (await findStat(sys, first))?.kind !== "directory"
  ) {
    throw new UsageError(`cannot create regular file ${quoteName(to)}: Not a directory`, {
      hasHint: false,
    });
  }
  return { sources: operands.slice(0, -1), to, directory: isDirectory ? to : undefined };
}

function copyOptions(run: Run): CopyOptions {
  const isArchive = run.has("archive");
  const isRecursive = isArchive || run.has("recursive") || run.has("r");
  const preserved = run.options
    .all("preserve")
    .flatMap((list) => (list === "" ? ["mode", "ownership", "timestamps"] : list.split(",")));
  const keeps = (name: string): boolean =>
    isArchive || run.has("p") || preserved.includes(name) || preserved.includes("all");
  const link = run.options.last("dereference", "no-dereference", "H", "d", "archive");
  const follows =
    link === "dereference"
      ? "all"
      : link === "H"
        ? "operands"
        : link !== undefined || isRecursive
          ? "none"
          : "all";
  const overwrite = run.options.last("force", "interactive", "no-clobber");
  return {
    isRecursive,
    follows,
    keepsMode: keeps("mode"),
    keepsOwner: keeps("ownership"),
    keepsTimes: keeps("timestamps"),
    isForced: run.has("force"),
    isVerbose: run.has("verbose"),
    mayOverwrite: async (from, to, path) => {
      if (run.has("update") && from.mtimeMs <= to.mtimeMs) return false;
      if (overwrite === "no-clobber") return false;
      return overwrite !== "interactive" || askYes(run, `cp: overwrite ${quoteName(path)}? `);
    },
  };
}
