import { isKernelError } from "../../kernel/index.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { changeMode, showMode } from "./file-mode.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "chmod",
    usage: [
      "[OPTION]... MODE[,MODE]... FILE...",
      "[OPTION]... OCTAL-MODE FILE...",
      "[OPTION]... --reference=RFILE FILE...",
    ],
    summary: "Change the mode of each FILE to MODE.",
    options: [
      { short: "c", long: "changes", help: "like verbose but report only when a change is made" },
      { short: "f", long: "silent", help: "suppress most error messages" },
      { long: "quiet", help: "suppress most error messages" },
      { short: "v", long: "verbose", help: "output a diagnostic for every file processed" },
      { long: "reference", value: "RFILE", help: "use RFILE's mode instead of MODE values" },
      { short: "R", long: "recursive", help: "change files and directories recursively" },
    ],
    isOperand: (word) => /^-[rwxXstugo]+(?:[-+=,]|$)/.test(word) && !word.startsWith("-R"),
  },
  async (run) => {
    const reference = run.options.get("reference");
    const [mode, ...rest] = run.operands;
    const files = reference === undefined ? rest : run.operands;
    if (mode === undefined) throw new UsageError("missing operand");
    if (files.length === 0) throw new UsageError(`missing operand after ${quoteName(mode)}`);
    const umask = await run.sys.umask();
    const wanted =
      reference === undefined
        ? mode
        : (await run.sys.stat(reference)).mode.toString(8).padStart(5, "0");
    if (changeMode({ mode: 0, isDirectory: false, umask }, wanted) === undefined)
      throw new UsageError(`invalid mode: ${quoteName(mode)}`);
    for (const file of files) await change(run, file, wanted, umask);
  },
);

async function change(run: Run, path: string, wanted: string, umask: number): Promise<void> {
  const { sys } = run;
  const isQuiet = run.has("silent") || run.has("quiet");
  try {
    const { kind, mode } = await sys.stat(path);
    const next = changeMode({ mode, isDirectory: kind === "directory", umask }, wanted) ?? mode;
    await sys.chmod(path, next);
    const show = (value: number): string =>
      `${value.toString(8).padStart(4, "0")} (${showMode("file", value).slice(1)})`;
    if (next !== mode && (run.has("changes") || run.has("verbose")))
      run.out.addText(`mode of ${quoteName(path)} changed from ${show(mode)} to ${show(next)}\n`);
    else if (run.has("verbose"))
      run.out.addText(`mode of ${quoteName(path)} retained as ${show(mode)}\n`);
    if (kind !== "directory" || !run.has("recursive")) return;
    for (const entry of await readDirectory(sys, path)) {
      if (entry.kind !== "symlink") await change(run, joinPath(path, entry.name), wanted, umask);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    run.status = 1;
    if (isQuiet) return;
    const verb = error.errno === "EPERM" ? "changing permissions of" : "cannot access";
    await run.warn(`${verb} ${quoteName(path)}: ${errorWords(error)}`);
  }
}
