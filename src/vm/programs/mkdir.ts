import { isKernelError } from "../../kernel/index.ts";
import { changeMode } from "./file-mode.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";
import { contextOptions, warnContext } from "./security-context.ts";

export const main = defineProgram(
  {
    name: "mkdir",
    usage: ["[OPTION]... DIRECTORY..."],
    summary: "Create the DIRECTORY(ies), if they do not already exist.",
    options: [
      ...contextOptions,
      {
        short: "m",
        long: "mode",
        value: "MODE",
        help: "set file mode (as in chmod), not a=rwx - umask",
      },
      {
        short: "p",
        long: "parents",
        help: "no error if existing, make parent directories as needed",
      },
      { short: "v", long: "verbose", help: "print a message for each created directory" },
    ],
  },
  async (run) => {
    await warnContext(run, "SELinux/SMACK");
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const mode = await readMode(run);
    for (const operand of run.operands) {
      if (run.has("parents") && operand !== "") await makeAll(run, operand, mode);
      else await makeOne(run, operand, mode);
    }
  },
);

async function readMode(run: Run): Promise<number | undefined> {
  const text = run.options.get("mode");
  if (text === undefined) return undefined;
  const mode = changeMode({ mode: 0o777, isDirectory: false, umask: await run.sys.umask() }, text);
  if (mode === undefined)
    throw new UsageError(`invalid mode ${quoteName(text)}`, { hasHint: false });
  return mode;
}

async function makeOne(run: Run, path: string, mode: number | undefined): Promise<void> {
  try {
    await make(run, path, mode);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(`cannot create directory ${quoteName(path)}: ${errorWords(error)}`);
  }
}

async function make(run: Run, path: string, mode: number | undefined): Promise<void> {
  await run.sys.mkdir(path, 0o777);
  if (mode !== undefined) await run.sys.chmod(path, mode);
  if (run.has("verbose")) run.out.addText(`mkdir: created directory ${quoteName(path)}\n`);
}

/** Every directory on the way; the mode is only the last one's. */
async function makeAll(run: Run, path: string, mode: number | undefined): Promise<void> {
  const names = path.split("/").filter((name) => name !== "");
  let at = path.startsWith("/") ? "" : undefined;
  for (const [place, name] of names.entries()) {
    at = at === undefined ? name : `${at}/${name}`;
    const isLast = place === names.length - 1;
    try {
      await make(run, at, isLast ? mode : undefined);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if ((await findStat(run.sys, at))?.kind === "directory") continue;
      await run.fail(
        `cannot create directory ${quoteName(at)}: ${error.errno === "EEXIST" && !isLast ? "Not a directory" : errorWords(error)}`,
      );
      return;
    }
  }
}
