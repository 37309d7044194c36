/** npm: package scripts, package.json, and packages that are already in the VM. */
import { encodeText, isKernelError, type Program, type Sys } from "../../../kernel/index.ts";
import { isStackOverflow, MemoryLimitError, TOO_DEEP } from "../memory-limit.ts";
import { writeAll } from "../output.ts";
import { commandHandlers } from "./command-handlers.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { findCommandName } from "./command-names.ts";
import { configPlaces, loadConfig } from "./config.ts";
import { fileFailure, NpmFailure, ScriptEnded } from "./failure.ts";
import { findProject } from "./find-project.ts";
import { commandHelp, helpText } from "./help.ts";
import { findManifest } from "./manifest.ts";
import { NpmRun } from "./npm-run.ts";
import { resolveFrom } from "./paths.ts";
import { suggest } from "./suggest.ts";
import { NPM_VERSION } from "./versions.ts";

const GLOBAL_PREFIX = "/usr/local";

export const main: Program = async (sys, argv) => {
  const line = readCommandLine(argv.slice(1));
  if (line.settings.has("version") && line.words.length === 0) {
    await writeAll(sys, 1, encodeText(`${NPM_VERSION}\n`));
    return 0;
  }
  const [word] = line.words;
  if (word === undefined) {
    await writeAll(sys, 1, encodeText(helpText()));
    return line.settings.has("usage") ? 0 : 1;
  }
  const command = findCommandName(word);
  if (command === undefined) return sayUnknown(sys, word);
  if (line.settings.has("usage")) {
    await writeAll(sys, 1, encodeText(`${commandHelp(command)}\n`));
    return 0;
  }
  return runNpm(sys, { ...line, words: line.words.slice(1) }, command);
};

/** Runs a command whose line is read. Answers its status. */
export async function runNpm(sys: Sys, line: CommandLine, command: string): Promise<number> {
  let run: NpmRun | undefined;
  try {
    run = await startRun(sys, line, command);
    for (const warning of line.warnings) await run.warn(warning);
    const handler = commandHandlers.get(command);
    if (handler === undefined)
      throw new NpmFailure(`\`npm ${command}\` is not offered in this VM.`, {
        code: "ENOTOFFERED",
      });
    await handler(run);
    await run.out.flush();
    return run.status;
  } catch (error) {
    return fail(sys, run, error);
  }
}

async function startRun(sys: Sys, line: CommandLine, command: string): Promise<NpmRun> {
  const startedMs = (await sys.clock()).monotonicMs;
  const cwd = await sys.getcwd();
  const environment = await sys.environ();
  const given = line.settings.get("prefix")?.at(-1);
  const project =
    given === undefined
      ? await findProject(sys, cwd)
      : { folder: resolveFrom(cwd, given), workspace: undefined };
  const global = resolveFrom(cwd, given ?? environment.get("npm_config_prefix") ?? GLOBAL_PREFIX);
  const places = configPlaces(project.folder, global, environment);
  const config = await loadConfig(sys, places, line.settings);
  return new NpmRun(sys, {
    config,
    places: { cwd, local: project.folder, global, workspace: project.workspace },
    environment,
    command,
    words: line.words,
    startedMs,
  });
}

async function fail(sys: Sys, run: NpmRun | undefined, error: unknown): Promise<number> {
  await run?.out.flush();
  if (error instanceof ScriptEnded) return error.status;
  const failure = toFailure(error);
  if (run === undefined || run.config.says("error")) {
    const lines = failure.lines().map((one) => `npm error ${one}`.trimEnd());
    await writeAll(sys, 2, encodeText(`${lines.join("\n")}\n`));
  }
  return failure.status;
}

/** What a run that met a limit or the file system's refusal says; rethrows anything else. */
function toFailure(error: unknown): NpmFailure {
  if (error instanceof NpmFailure) return error;
  if (error instanceof MemoryLimitError) return new NpmFailure(error.message);
  if (isStackOverflow(error)) return new NpmFailure(TOO_DEEP);
  if (!isKernelError(error)) throw error;
  const failure = fileFailure(error.errno, "access", error.subject ?? "");
  return error.reason === undefined ? failure : new NpmFailure(error.words, { code: error.errno });
}

async function sayUnknown(sys: Sys, word: string): Promise<number> {
  let manifest = {};
  try {
    const { folder } = await findProject(sys, await sys.getcwd());
    manifest = (await findManifest(sys, folder))?.content ?? {};
  } catch (error) {
    if (!(error instanceof NpmFailure) && !isKernelError(error)) throw error;
  }
  const text = `Unknown command: "${word}"\n${suggest(word, manifest)}\nTo see a list of supported npm commands, run:\n  npm help\n`;
  await writeAll(sys, 1, encodeText(text));
  return 1;
}
