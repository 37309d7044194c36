// `node --run`: a script of package.json, as src/node_task_runner.cc runs it.

import { loaders } from "../bindings/builtins.ts";
import { call } from "../channel.ts";
import { facts } from "../facts.ts";
import { printError } from "./report-fatal.ts";

/** The status to exit with. */
export function runTask(name: string, args: readonly string[]): number {
  const cwd: string = call("cwd");
  const found = findPackage(cwd);
  if (found === undefined) return fail(`Can't find package.json for directory ${cwd}\n`);
  const { file, content, path } = found;
  let scripts: unknown;
  try {
    const json: unknown = JSON.parse(content);
    if (typeof json !== "object" || json === null || Array.isArray(json))
      return fail(`Root value unexpected not an object for ${file}\n\n`);
    scripts = "scripts" in json ? json.scripts : undefined;
  } catch {
    return fail(`Can't parse ${file}\n`);
  }
  if (typeof scripts !== "object" || scripts === null)
    return fail(`Can't find "scripts" field in ${file}\n`);
  const commands = scripts as Record<string, unknown>;
  if (!Object.hasOwn(commands, name)) return fail(missing(name, file, commands));
  const command = commands[name];
  if (typeof command !== "string")
    return fail(`Script "${name}" is unexpectedly not a string for ${file}\n\n`);
  return run([command, ...args.map(escapeShell)].join(" "), { name, file, path });
}

interface Package {
  readonly file: string;
  readonly content: string;
  /** What comes before PATH. */
  readonly path: string;
}

function findPackage(cwd: string): Package | undefined {
  let path = "";
  let found: Pick<Package, "file" | "content"> | undefined;
  for (
    let directory = cwd;
    directory !== "" && directory !== "/";
    directory = directory.replace(/\/[^/]*$/, "")
  ) {
    if (isDirectory(`${directory}/node_modules/.bin`)) path += `${directory}/node_modules/.bin:`;
    const file = `${directory}/package.json`;
    const content: string | null = found === undefined ? call("readText", file) : null;
    if (content !== null && content !== "") found = { file, content };
  }
  return found === undefined ? undefined : { ...found, path };
}

function isDirectory(path: string): boolean {
  return loaders.internalBinding("fs").internalModuleStat(path) === 1;
}

const options = { timeout: 0, maxBuffer: 0, killSignal: 0, inputs: [] };

function wishFor(
  file: string,
  argv: string[],
  more: Record<string, unknown> = {},
): Record<string, any> {
  const env = [...facts.env].map(([name, value]) => `${name}=${value}`);
  return { file, argv, env, stdio: [0, 1, 2], isDetached: false, ...more };
}

function missing(name: string, file: string, commands: Record<string, unknown>): string {
  const all = Object.entries(commands).map(([one, command]) => `  ${one}: ${String(command)}\n`);
  return `Missing script: "${name}" for ${file}\n\nAvailable scripts are:\n${all.join("")}`;
}

function fail(message: string): number {
  printError(message);
  return 1;
}

function run(
  command: string,
  { name, file, path }: { name: string; file: string; path: string },
): number {
  const env = [...facts.env].map(([key, value]) =>
    key.toLowerCase() === "path" ? `${key}=${path}${value}` : `${key}=${value}`,
  );
  env.push(`NODE_RUN_SCRIPT_NAME=${name}`, `NODE_RUN_PACKAGE_JSON_PATH=${file}`);
  const cwd = file.slice(0, -"/package.json".length);
  const result = call(
    "spawnSync",
    wishFor("/bin/sh", ["/bin/sh", "-c", command], { env, cwd }),
    options,
  );
  if (result.failure !== undefined) printError(`Error: ${result.failure}\n`);
  return typeof result.status === "number" && result.status > 0 ? 1 : 0;
}

function escapeShell(text: string): string {
  if (text === "") return "''";
  if (!/[[\t\n\r "#$&'()*;<>%?\\`|~\]]/.test(text)) return text;
  return `'${text.replaceAll("'", `'"'"'`)}'`
    .replace(/^(?:'')+(?!$)/, "")
    .replaceAll("\\'''", "\\'");
}
