import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

/** POSIX's least for a name and for a path. */
const PORTABLE_NAME = 14;
const PORTABLE_PATH = 256;

export const main = defineProgram(
  {
    name: "pathchk",
    usage: ["[OPTION]... NAME..."],
    summary: "Diagnose invalid or unportable file names.",
    options: [
      { short: "p", help: "check for most POSIX systems" },
      { short: "P", help: 'check for empty names and leading "-"' },
      { long: "portability", help: "check for all POSIX systems (equivalent to -p -P)" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    for (const name of run.operands) {
      const problem = (await findProblem(run, name)) ?? (await findMissing(run, name));
      if (problem !== undefined) await run.fail(problem);
    }
  },
);

async function findProblem(run: Run, name: string): Promise<string | undefined> {
  const isPortable = run.has("p") || run.has("portability");
  const shown = quoteName(name);
  if ((run.has("P") || run.has("portability")) && /(?:^|\/)-/.test(name))
    return `leading '-' in a component of file name ${shown}`;
  if ((isPortable || run.has("P")) && name === "") return "empty file name";
  if (isPortable) {
    const odd = /[^A-Za-z0-9._/-]/su.exec(name)?.[0];
    if (odd !== undefined) return `nonportable character ${quoteName(odd)} in file name ${shown}`;
  }
  if (!isPortable) return undefined;
  if (name.length >= PORTABLE_PATH)
    return `limit ${PORTABLE_PATH - 1} exceeded by length ${name.length} of file name ${shown}`;
  const long = name.split("/").find((part) => part.length > PORTABLE_NAME);
  if (long === undefined) return undefined;
  return `limit ${PORTABLE_NAME} exceeded by length ${long.length} of file name component ${quoteName(long)}`;
}

/** A file on the way that is no directory, or that may not be searched. */
async function findMissing(run: Run, name: string): Promise<string | undefined> {
  if (run.has("p") || run.has("portability")) return undefined;
  try {
    await run.sys.lstat(name);
    return undefined;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    if (error.errno === "ENOENT" && name !== "") return undefined;
    return `${name === "" ? "''" : name}: ${errorWords(error)}`;
  }
}
