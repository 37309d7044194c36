import { askYes } from "./ask-yes.ts";
import { backupOptions, readBackup } from "./backup.ts";
import { chooseWord } from "./choose-word.ts";
import type { CopyOptions } from "./copy-options.ts";
import { TreeCopy } from "./copy-tree.ts";
import { joinPath, targetPath } from "./directory.ts";
import { MetOperands } from "./met-operands.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";
import { contextOptions, warnContext } from "./security-context.ts";

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
      ...contextOptions,
      { short: "a", long: "archive", help: "same as -dR --preserve=all" },
      { long: "attributes-only", help: "don't copy the file data, just the attributes" },
      ...backupOptions,
      { long: "copy-contents", help: "(ignored)" },
      { short: "d", help: "same as --no-dereference --preserve=links" },
      {
        short: "f",
        long: "force",
        help: "if an existing destination file cannot be\nopened, remove it and try again",
      },
      { short: "i", long: "interactive", help: "prompt before overwrite" },
      { short: "H", help: "follow command-line symbolic links in SOURCE" },
      { short: "l", long: "link", help: "hard link files instead of copying" },
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
      {
        long: "no-preserve",
        value: "ATTR_LIST",
        help: "don't preserve the specified attributes",
      },
      { long: "parents", help: "use full source file name under DIRECTORY" },
      { long: "reflink", value: "WHEN", isOptional: true, help: "(ignored)" },
      {
        long: "remove-destination",
        help: "remove each existing destination file before\nattempting to open it",
      },
      { long: "sparse", value: "WHEN", help: "(ignored: holes take no room)" },
      {
        long: "strip-trailing-slashes",
        help: "remove any trailing slashes from each SOURCE argument",
      },
      { short: "s", long: "symbolic-link", help: "make symbolic links instead of copying" },
      { short: "x", long: "one-file-system", help: "(ignored)" },
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
    await warnContext(run, "SELinux");
    const { sources, to, directory } = await chooseTarget(run, "copy");
    if (run.has("parents") && directory === undefined)
      throw new UsageError("with --parents, the destination must be a directory");
    checkCombinations(run);
    const options = await copyOptions(run);
    const copy = new TreeCopy(run, options);
    const met = new MetOperands(run, options.backup?.isWanted === true);
    for (const source of sources) {
      const path = source.replace(/(.)\/+$/s, "$1");
      const target = run.has("parents")
        ? await makeParents(run, path, directory ?? to)
        : targetPath(directory, path, to);
      if (target === undefined || (await refusesRelativeLink(run, source, target))) continue;
      if (sources.length > 1 && (await met.refuses(source, target))) continue;
      await copy.copyOperand(source, target);
    }
  },
);

function checkCombinations(run: Run): void {
  const { options } = run;
  if (run.has("link") && run.has("symbolic-link"))
    throw new UsageError("cannot make both hard and symbolic links");
  const reflink = options
    .all("reflink")
    .map((word) =>
      word === "" ? "always" : chooseWord(word, "--reflink", [["auto"], ["always"], ["never"]]),
    );
  const sparse = options
    .all("sparse")
    .map((word) => chooseWord(word, "--sparse", [["never"], ["auto"], ["always"]]));
  if (reflink.at(-1) === "always" && (sparse.at(-1) ?? "auto") !== "auto")
    throw new UsageError("--reflink can be used only with --sparse=auto");
}

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

/** `--parents`: the directories of the source below the destination. */
async function makeParents(run: Run, path: string, directory: string): Promise<string> {
  const names = path.split("/").filter((name) => name !== "");
  let from = path.startsWith("/") ? "" : ".";
  let to = directory;
  for (const name of names.slice(0, -1)) {
    from = `${from}/${name}`;
    to = joinPath(to, name);
    if ((await findStat(run.sys, to)) !== undefined) continue;
    const mode = (await findStat(run.sys, from))?.mode ?? 0o777;
    await run.sys.mkdir(to, mode & 0o777);
    if (run.has("verbose")) run.out.addText(`${from.replace(/^\.\//, "")} -> ${to}\n`);
  }
  return joinPath(to, names.at(-1) ?? "");
}

async function refusesRelativeLink(run: Run, source: string, target: string): Promise<boolean> {
  if (!run.has("symbolic-link") || source.startsWith("/") || !target.includes("/")) return false;
  await run.fail(`${target}: can make relative symbolic links only in current directory`);
  return true;
}

const attributeNames = ["mode", "timestamps", "ownership", "links", "context", "xattr", "all"];

function readAttributes(run: Run, option: string): string[] {
  return run.options.all(option).flatMap((list) =>
    list === ""
      ? ["mode", "ownership", "timestamps"]
      : list.split(",").map((name) =>
          chooseWord(
            name,
            `--${option}`,
            attributeNames.map((one) => [one]),
          ),
        ),
  );
}

async function copyOptions(run: Run): Promise<CopyOptions> {
  const isArchive = run.has("archive");
  const isRecursive = isArchive || run.has("recursive") || run.has("r");
  const preserved = readAttributes(run, "preserve");
  const dropped = readAttributes(run, "no-preserve");
  const keeps = (name: string): boolean =>
    (isArchive || run.has("p") || preserved.includes(name) || preserved.includes("all")) &&
    !dropped.includes(name) &&
    !dropped.includes("all");
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
    backup: await readBackup(run),
    ...(run.has("link") ? { linksAs: "hard" as const } : {}),
    ...(run.has("symbolic-link") ? { linksAs: "symbolic" as const } : {}),
    removesFirst: run.has("remove-destination"),
    isEmpty: run.has("attributes-only"),
    usesNewMode: dropped.includes("mode"),
    isVerbose: run.has("verbose"),
    mayOverwrite: async (from, to, path) => {
      if (run.has("update") && from.mtimeMs <= to.mtimeMs) return false;
      if (overwrite === "no-clobber") return false;
      return overwrite !== "interactive" || askYes(run, `cp: overwrite ${quoteName(path)}? `);
    },
  };
}
