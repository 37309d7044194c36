// The command line of the package, called by bin/agentos-mcp.mjs on whatever Node the user has: all
// that is loaded from here runs on Node 20, but for what the server process loads.
import { type Build, readBuild } from "./build-id.ts";
import { parseCommandLine } from "./command-line.ts";
import { type CommandContext, type CommandRow, commands } from "./command-list.ts";
import { closeInherited } from "./connect/close-inherited.ts";
import { ServerUnavailableError } from "./connect/connect-to-server.ts";
import { chooseServerNode, NoServerNodeError } from "./connect/server-node.ts";
import type { ServerLaunch } from "./connect/start-server.ts";
import { ControlError } from "./control/running-call.ts";
import { HomeError, openHome } from "./home.ts";
import { globalOptions, readSettings, serverEnvironment, UsageError } from "./settings.ts";
import { suggest } from "./suggest.ts";

/** What the launcher knows about the installation. */
export interface Installation {
  readonly binFile: string;
  readonly pinnedNode: string | undefined;
}

/** Runs one command line. Resolves to the exit code: 2 for a command line that makes no sense. */
export async function main(argv: readonly string[], installation: Installation): Promise<number> {
  closeInherited();
  try {
    return await run(argv, installation);
  } catch (error) {
    say(describe(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(given: readonly string[], installation: Installation): Promise<number> {
  const argv = given[0] === "help" ? askForHelp(given.slice(1)) : given;
  const first = argv[0] ?? "-";
  const isNamed = !first.startsWith("-");
  const name = isNamed ? first : "serve";
  const row = findCommand(name);
  const args = isNamed ? argv.slice(1) : argv;
  const ownWords = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ownWords.some((word) => word === "--help" || word === "-h")) {
    const { commandHelpText, helpText } = await import("./help.ts");
    process.stdout.write(isNamed ? commandHelpText(name, row) : helpText());
    return 0;
  }
  const build = readBuild();
  if (ownWords.some((word) => word === "--version" || word === "-v")) {
    process.stdout.write(`agentos-mcp ${build.version} (build ${build.id})\n`);
    return 0;
  }
  const context = makeContext(row, args, build, installation);
  if (row.takesWords !== true) refuseWords(name, row, context.words);
  const command = await row.load();
  return await command(context);
}

/** `help` and `help NAME` are `--help` and `NAME --help`. */
function askForHelp(words: readonly string[]): readonly string[] {
  const [name, ...more] = words.filter((word) => word !== "--help" && word !== "-h");
  if (more.length > 0) throw new UsageError("Give one command: agentos-mcp help [command]");
  return name === undefined ? ["--help"] : [name, "--help"];
}

function refuseWords(name: string, { hint }: CommandRow, [word]: readonly string[]): void {
  if (word === undefined) return;
  const meant = hint === undefined ? `agentos-mcp ${name} --help shows what it takes.` : hint(word);
  throw new UsageError(`agentos-mcp ${name} takes no "${word}". ${meant}`);
}

function findCommand(name: string): CommandRow {
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (row !== undefined) return row;
  const close = suggest(name, Object.keys(commands));
  const hint = close === undefined ? "" : ` Did you mean "${close}"?`;
  throw new UsageError(`There is no command "${name}".${hint} agentos-mcp --help lists them all.`);
}

function makeContext(
  row: CommandRow,
  args: readonly string[],
  build: Build,
  installation: Installation,
): CommandContext {
  const line = parseCommandLine(args, { ...row.options, ...globalOptions }, process.env);
  const settings = readSettings(line.flags, process.env);
  const launchServer = (): ServerLaunch => {
    const home = openHome(settings.homeDirectory);
    const node = chooseServerNode(installation.pinnedNode);
    if (node.warning !== undefined) say(node.warning);
    const env = serverEnvironment({ ...settings, homeDirectory: home.directory }, process.env);
    const { configFile } = settings;
    return { home, buildId: build.id, node: node.path, env, configFile, say };
  };
  return { ...line, build, binFile: installation.binFile, say, launchServer };
}

function say(message: string): void {
  process.stderr.write(`agentos-mcp: ${message}\n`);
}

/** Errors made for the user are their message; any other is our bug, shown in full. */
function describe(error: unknown): string {
  const isForUser =
    error instanceof UsageError ||
    error instanceof HomeError ||
    error instanceof NoServerNodeError ||
    error instanceof ControlError ||
    error instanceof ServerUnavailableError;
  if (isForUser) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
