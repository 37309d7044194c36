import { isKernelError, type KernelError } from "../../kernel/index.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { changeMode, showMode } from "./file-mode.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

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
      { long: "no-preserve-root", help: "do not treat '/' specially (the default)" },
      { long: "preserve-root", help: "fail to operate recursively on '/'" },
      { short: "R", long: "recursive", help: "change files and directories recursively" },
    ],
    isOperand: isModeOption,
  },
  async (run) => {
    const reference = run.options.get("reference");
    const asOptions = run.operands.filter(isModeOption);
    const others = run.operands.filter((word) => !isModeOption(word));
    const isOption = asOptions.length > 0;
    if (isOption && reference !== undefined)
      throw new UsageError("cannot combine mode and --reference options");
    const [first] = others;
    const mode = isOption ? asOptions.join(",") : first;
    const files = isOption || reference !== undefined ? others : others.slice(1);
    if (mode === undefined) throw new UsageError("missing operand");
    if (files.length === 0)
      throw new UsageError(
        reference === undefined && !isOption
          ? `missing operand after ${quoteName(mode)}`
          : "missing operand",
      );
    const umask = await run.sys.umask();
    const wanted = reference === undefined ? mode : await modeOf(run, reference);
    if (changeMode({ mode: 0, isDirectory: false, umask }, wanted) === undefined)
      throw new UsageError(`invalid mode: ${quoteName(mode)}`);
    const plan: ModePlan = { wanted, umask, isDiagnosed: isOption };
    for (const file of files) await changeOperand(run, file, plan);
  },
);

/** `-w` and `-vw` are modes: any word of options with a letter or digit of a mode in it. */
function isModeOption(word: string): boolean {
  return /^-[Rcfv]*[rwxXstugoa,+=0-7]/.test(word);
}

interface ModePlan {
  readonly wanted: string;
  readonly umask: number;
  /** A mode that looks like an option may do less than it says, by the umask. */
  readonly isDiagnosed: boolean;
}

async function modeOf(run: Run, path: string): Promise<string> {
  try {
    return (await run.sys.stat(path)).mode.toString(8).padStart(5, "0");
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`failed to get attributes of ${quoteName(path)}: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

async function changeOperand(run: Run, path: string, plan: ModePlan): Promise<void> {
  const isGuarded = run.options.last("preserve-root", "no-preserve-root") === "preserve-root";
  if (isGuarded && run.has("recursive") && /^\/+$/.test(path)) {
    await run.warn("it is dangerous to operate recursively on '/'");
    await run.fail("use --no-preserve-root to override this failsafe");
    return;
  }
  await change(run, path, plan);
}

async function change(run: Run, path: string, plan: ModePlan): Promise<void> {
  const { sys } = run;
  const { wanted, umask } = plan;
  try {
    const { kind, mode } = await sys.stat(path);
    const isDirectory = kind === "directory";
    const next = changeMode({ mode, isDirectory, umask }, wanted) ?? mode;
    await sys.chmod(path, next);
    report(run, path, mode, next);
    const expected = changeMode({ mode, isDirectory, umask: 0 }, wanted) ?? mode;
    if (plan.isDiagnosed && (next & ~expected) !== 0)
      await run.fail(`${path}: new permissions are ${letters(next)}, not ${letters(expected)}`);
    if (!isDirectory || !run.has("recursive")) return;
    for (const entry of await readDirectory(sys, path)) {
      if (entry.kind !== "symlink") await change(run, joinPath(path, entry.name), plan);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await sayFailure(run, path, error);
  }
}

function letters(mode: number): string {
  return showMode("file", mode).slice(1);
}

function report(run: Run, path: string, mode: number, next: number): void {
  const show = (value: number): string =>
    `${value.toString(8).padStart(4, "0")} (${letters(value)})`;
  if (next !== mode && (run.has("changes") || run.has("verbose")))
    run.out.addText(`mode of ${quoteName(path)} changed from ${show(mode)} to ${show(next)}\n`);
  else if (run.has("verbose"))
    run.out.addText(`mode of ${quoteName(path)} retained as ${show(mode)}\n`);
}

async function sayFailure(run: Run, path: string, error: KernelError): Promise<void> {
  run.status = 1;
  const isAccess = error.errno !== "EPERM";
  if (!run.has("silent") && !run.has("quiet")) {
    const verb = isAccess ? "cannot access" : "changing permissions of";
    const isDangling = (await findStat(run.sys, path, true))?.kind === "symlink";
    await run.warn(
      isDangling && error.errno === "ENOENT"
        ? `cannot operate on dangling symlink ${quoteName(path)}`
        : `${verb} ${quoteName(path)}: ${errorWords(error)}`,
    );
  }
  if (run.has("verbose") && isAccess) run.out.addText(`${quoteName(path)} could not be accessed\n`);
}
