import { isKernelError } from "../../kernel/index.ts";
import { baseName, joinPath } from "./directory.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
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
    const directory = run.options.get("target-directory");
    if (directory !== undefined) {
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
        operands.length === 1 ? baseName(target) : joinPath(last, baseName(target)),
      );
  },
);

async function isDirectory(run: Run, path: string): Promise<boolean> {
  return (await findStat(run.sys, path, run.has("no-dereference")))?.kind === "directory";
}

async function link(run: Run, target: string, path: string): Promise<void> {
  const { sys } = run;
  const isSymbolic = run.has("symbolic");
  const what = isSymbolic ? "symbolic link" : "hard link";
  if (!isSymbolic) {
    const stat = await findStat(sys, target, true);
    if (stat === undefined)
      return run.fail(`failed to access ${quoteName(target)}: No such file or directory`);
    if (stat.kind === "directory")
      return run.fail(`${target}: hard link not allowed for directory`);
  }
  try {
    if (run.has("force")) await removeOld(run, path);
    await (isSymbolic ? sys.symlink(target, path) : sys.link(target, path));
    if (run.has("verbose"))
      run.out.addText(`${quoteName(path)} ${isSymbolic ? "->" : "=>"} ${quoteName(target)}\n`);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const tail = isSymbolic || error.errno === "EEXIST" ? "" : ` => ${quoteName(target)}`;
    await run.fail(`failed to create ${what} ${quoteName(path)}${tail}: ${errorWords(error)}`);
  }
}

async function removeOld(run: Run, path: string): Promise<void> {
  try {
    await run.sys.unlink(path);
  } catch (error) {
    if (!isKernelError(error, "ENOENT")) throw error;
  }
}
