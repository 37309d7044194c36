/** Running the command behind a program's own words, for `timeout`, `nohup`, `nice` and the like. */
import { isKernelError } from "../../kernel/index.ts";
import { errorWords, quoteName, type Run } from "./program.ts";
import { execCommand, findCommand, spawnCommand } from "./run-command.ts";

const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/**
 * Replaces the program by the command; answers the status of a command that cannot be run. What is
 * said of that starts as `describe` has it.
 */
export async function becomeCommand(
  run: Run,
  command: readonly string[],
  options: {
    readonly env?: ReadonlyMap<string, string>;
    readonly describe?: (name: string) => string;
  } = {},
): Promise<number> {
  const environment = options.env ?? (await run.sys.environ());
  await run.out.flush();
  return attempt(run, command, options.describe ?? describeFailure, {
    environment,
    start: (path) => execCommand(run.sys, path, command, environment),
  });
}

/** Starts the command; answers its pid, or the status of one that cannot be run. */
export async function startCommand(
  run: Run,
  command: readonly string[],
  describe = describeFailure,
): Promise<{ readonly pid: number } | { readonly status: number }> {
  let pid = 0;
  const status = await attempt(run, command, describe, {
    environment: await run.sys.environ(),
    start: async (path) => {
      pid = await spawnCommand(run.sys, path, command);
      return 0;
    },
  });
  return pid === 0 ? { status } : { pid };
}

function describeFailure(name: string): string {
  return `failed to run command ${quoteName(name)}`;
}

interface Start {
  readonly environment: ReadonlyMap<string, string>;
  readonly start: (path: string) => Promise<number>;
}

async function attempt(
  run: Run,
  command: readonly string[],
  describe: (name: string) => string,
  { environment, start }: Start,
): Promise<number> {
  const [name = ""] = command;
  const path = await findCommand(run.sys, name, environment.get("PATH"));
  let words = "No such file or directory";
  let status = NOT_FOUND;
  try {
    if (path !== undefined) return await start(path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    words = errorWords(error);
    if (error.errno !== "ENOENT") status = CANNOT_RUN;
  }
  await run.fail(`${describe(name)}: ${words}`, status);
  return status;
}
