import { isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { execCommand, findCommand } from "./run-command.ts";

/** env's own failures, see env(1). */
const FAILED = 125;
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

export const main = defineProgram(
  {
    name: "env",
    usage: ["[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]"],
    summary: "Set each NAME to VALUE in the environment and run COMMAND.",
    options: [
      { short: "i", long: "ignore-environment", help: "start with an empty environment" },
      { short: "0", long: "null", help: "end each output line with NUL, not newline" },
      { short: "u", long: "unset", value: "NAME", help: "remove variable from the environment" },
      { short: "C", long: "chdir", value: "DIR", help: "change working directory to DIR" },
      {
        short: "S",
        long: "split-string",
        value: "S",
        help: "process and split S into separate arguments",
      },
    ],
    refusal: FAILED,
    stopsAtOperand: true,
  },
  async (run) => {
    const words = [...run.options.all("split-string").flatMap(splitWords), ...run.operands];
    const isEmpty = run.has("ignore-environment") || words[0] === "-";
    const environment = isEmpty ? new Map<string, string>() : await run.sys.environ();
    for (const name of run.options.all("unset")) {
      if (name === "" || name.includes("="))
        throw new UsageError(`cannot unset ${quoteName(name)}: Invalid argument`, {
          hasHint: false,
        });
      environment.delete(name);
    }
    let at = words[0] === "-" ? 1 : 0;
    for (; words[at]?.includes("=") === true; at++) {
      const word = words[at] ?? "";
      const equals = word.indexOf("=");
      environment.set(word.slice(0, equals), word.slice(equals + 1));
    }
    const command = words.slice(at);
    const directory = run.options.get("chdir");
    if (directory !== undefined && command.length === 0)
      throw new UsageError("must specify command with --chdir (-C)");
    if (directory !== undefined) {
      try {
        await run.sys.chdir(directory);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(
          `cannot change directory to ${quoteName(directory)}: ${errorWords(error)}`,
          FAILED,
        );
        return FAILED;
      }
    }
    if (command.length > 0) return become(run, command, environment);
    const end = run.has("null") ? "\0" : "\n";
    for (const [name, value] of environment) run.out.addText(`${name}=${value}${end}`);
    return 0;
  },
);

async function become(
  run: Run,
  command: readonly string[],
  environment: ReadonlyMap<string, string>,
): Promise<number> {
  const [name = ""] = command;
  const path = await findCommand(run.sys, name, environment.get("PATH"));
  try {
    if (path !== undefined) return await execCommand(run.sys, path, command, environment);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const status = error.errno === "ENOENT" ? NOT_FOUND : CANNOT_RUN;
    await run.fail(`${quoteName(name)}: ${errorWords(error)}`, status);
    return status;
  }
  await run.fail(`${quoteName(name)}: No such file or directory`, NOT_FOUND);
  return NOT_FOUND;
}

/** `-S`: words at blanks, with quotes. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s"']+|"(?:\\.|[^"\\])*"|'[^']*')+/g)) {
    words.push(
      match[0].replace(
        /"((?:\\.|[^"\\])*)"|'([^']*)'/g,
        (_, double?: string, single?: string) => single ?? (double ?? "").replace(/\\(.)/g, "$1"),
      ),
    );
  }
  return words;
}
