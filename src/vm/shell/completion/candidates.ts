/** The candidates of each action of `complete -A`, those that start with the word. */
import { isKernelError, signals, X_OK } from "../../../kernel/index.ts";
import { NameDatabase } from "../../programs/name-database.ts";
import { builtinNames } from "../builtins/builtin-names.ts";
import { readWhole } from "../builtins/eval.ts";
import { bindableFunctions } from "../line-editor/function-names.ts";
import { setOptions, shoptNames } from "../state/options.ts";
import type { Shell } from "../state/shell.ts";
import { listPaths } from "./list-paths.ts";
import { readNames } from "./read-names.ts";

/** Reserved words in the order of bash's own table. */
const keywords = [
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "case",
  "esac",
  "for",
  "select",
  "while",
  "until",
  "do",
  "done",
  "in",
  "function",
  "time",
  "{",
  "}",
  "!",
  "[[",
  "]]",
  "coproc",
];

type Lister = (shell: Shell, word: string) => readonly string[] | Promise<readonly string[]>;

const listers: ReadonlyMap<string, Lister> = new Map<string, Lister>([
  ["alias", ({ aliases }) => [...aliases.keys()].toSorted()],
  ["arrayvar", listArrays],
  ["binding", () => bindableFunctions],
  ["builtin", () => builtinNames()],
  ["disabled", () => []],
  ["enabled", () => builtinNames()],
  [
    "export",
    ({ variables }) =>
      variables.names().filter((name) => variables.find(name)?.isExported === true),
  ],
  ["function", ({ functions }) => [...functions.keys()].toSorted()],
  ["helptopic", () => [...builtinNames(), ...keywords].toSorted()],
  ["hostname", listHosts],
  ["job", ({ jobs }) => jobs.list().map((job) => job.text.split(" ")[0] ?? "")],
  ["keyword", () => keywords],
  ["running", (shell) => listJobs(shell, "running")],
  ["stopped", (shell) => listJobs(shell, "stopped")],
  ["setopt", () => setOptions.map(([, name]) => name).toSorted()],
  ["shopt", () => [...shoptNames].toSorted()],
  ["signal", () => ["EXIT", ...Object.keys(signals), "DEBUG", "ERR", "RETURN"]],
  ["variable", listVariables],
  ["command", listCommands],
  ["file", (shell, word) => listPaths(shell, word, "all")],
  ["directory", (shell, word) => listPaths(shell, word, "directories")],
  ["user", async (shell) => (await new NameDatabase(shell.sys).users()).map(({ name }) => name)],
  ["group", async (shell) => (await new NameDatabase(shell.sys).groups()).map(({ name }) => name)],
  ["service", () => []],
]);

export async function listAction(shell: Shell, action: string, word: string): Promise<string[]> {
  const found = await listers.get(action)?.(shell, word);
  if (found === undefined) return [];
  const isPath = action === "file" || action === "directory";
  return isPath ? [...found] : found.filter((text) => text.startsWith(word));
}

function listVariables({ variables }: Shell): string[] {
  return variables.names().filter((name) => variables.find(name)?.value !== undefined);
}

function listArrays({ variables }: Shell): string[] {
  return variables.names().filter((name) => {
    const value = variables.find(name)?.value;
    return value !== undefined && typeof value !== "string";
  });
}

function listJobs({ jobs }: Shell, state: "running" | "stopped"): string[] {
  return jobs
    .list()
    .filter((job) => job.state === state)
    .map((job) => job.text.split(" ")[0] ?? "");
}

/** Aliases, keywords, functions, builtins, then what PATH has; a path completes as one. */
async function listCommands(shell: Shell, word: string): Promise<readonly string[]> {
  if (word.includes("/")) return listPaths(shell, word, "executables");
  const names = [
    ...[...shell.aliases.keys()].toSorted(),
    ...keywords,
    ...[...shell.functions.keys()].toSorted(),
    ...builtinNames(),
  ];
  for (const directory of (shell.variables.get("PATH") ?? "").split(":")) {
    const found = await readNames(shell, directory === "" ? "." : directory, word);
    for (const name of found)
      if (await isExecutable(shell, `${directory}/${name}`)) names.push(name);
  }
  return names;
}

async function isExecutable(shell: Shell, path: string): Promise<boolean> {
  try {
    const { kind, mode } = await shell.sys.stat(path);
    if (kind !== "file") return false;
    if ((mode & 0o111) !== 0o111) await shell.sys.access(path, X_OK);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

async function listHosts(shell: Shell): Promise<string[]> {
  const path = shell.variables.get("HOSTFILE") ?? "/etc/hosts";
  try {
    const names = (await readWhole(shell, path))
      .split("\n")
      .map((line) => line.replace(/#.*/, "").trim())
      .flatMap((line) => line.split(/\s+/).slice(1));
    return [...new Set(names)];
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}
