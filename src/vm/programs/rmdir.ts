import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

export const main = defineProgram(
  {
    name: "rmdir",
    usage: ["[OPTION]... DIRECTORY..."],
    summary: "Remove the DIRECTORY(ies), if they are empty.",
    options: [
      {
        long: "ignore-fail-on-non-empty",
        help: "ignore each failure to remove a non-empty directory",
      },
      { short: "p", long: "parents", help: "remove DIRECTORY and its ancestors" },
      { short: "v", long: "verbose", help: "output a diagnostic for every directory processed" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    for (const operand of run.operands) {
      let path = operand;
      for (let isParent = false; await remove(run, path, isParent); isParent = true) {
        const parent = /^(.+?)\/+[^/]+\/*$/s.exec(path)?.[1];
        if (!run.has("parents") || parent === undefined) break;
        path = parent;
      }
    }
  },
);

async function remove(run: Run, path: string, isParent: boolean): Promise<boolean> {
  if (run.has("verbose")) run.out.addText(`rmdir: removing directory, ${quoteName(path)}\n`);
  try {
    await run.sys.rmdir(path);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    if (run.has("ignore-fail-on-non-empty") && error.errno === "ENOTEMPTY") return false;
    const what = isParent ? "directory " : "";
    const words = (await isSlashedLink(run, path, error.errno))
      ? "Symbolic link not followed"
      : errorWords(error);
    await run.fail(`failed to remove ${what}${quoteName(path)}: ${words}`);
    return false;
  }
}

async function isSlashedLink(run: Run, path: string, errno: string): Promise<boolean> {
  if (errno !== "ENOTDIR" || !path.endsWith("/")) return false;
  const isLink = (await findStat(run.sys, path.replace(/\/+$/, ""), true))?.kind === "symlink";
  return isLink && (await findStat(run.sys, path))?.kind === "directory";
}
