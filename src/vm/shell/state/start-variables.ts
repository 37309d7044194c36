/** The variables a shell sets when it starts. */
import { isKernelError } from "../../../kernel/index.ts";
import { IndexedArray } from "./arrays.ts";
import type { Shell } from "./shell.ts";

/** Where programs are looked for when nobody says it. */
const defaultPath = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:.";

const loadablesPath =
  "/usr/local/lib/bash:/usr/lib/bash:/opt/local/lib/bash:/usr/pkg/lib/bash:/opt/pkg/lib/bash:.";

const version = ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"];

/** Where it is, who runs it, how deep, how words split. */
export async function setStartVariables(shell: Shell): Promise<void> {
  const { variables } = shell;
  shell.startPositional = shell.positional;
  await setPlace(shell);
  await setFromKernel(shell);
  const level = variables.ensure("SHLVL");
  const next = nextLevel(level.value);
  level.value = next >= LEVEL_LIMIT ? "1" : String(next);
  if (next >= LEVEL_LIMIT)
    await shell.write(
      2,
      `${shell.name}: warning: shell level (${next}) too high, resetting to 1\n`,
    );
  level.isExported = true;
  variables.set("IFS", " \t\n");
  variables.set("OPTIND", "1");
  variables.ensure("OPTIND").isInteger = true;
  variables.set("OPTERR", "1");
  variables.set("BASH", "/bin/bash");
  variables.set("BASH_VERSION", "5.2.15(1)-release");
  const info = variables.ensure("BASH_VERSINFO");
  info.value = new IndexedArray(version.map((text, at) => [at, text] as const));
  info.isReadonly = true;
  setIfNot(shell, "BASH_LOADABLES_PATH", loadablesPath);
  setIfNot(shell, "PS4", "+ ");
  setIfNot(shell, "PATH", defaultPath);
  setIfNot(shell, "TERM", "dumb");
  setIfNot(shell, "HOSTTYPE", "x86_64");
  setIfNot(shell, "OSTYPE", "linux-gnu");
  setIfNot(shell, "MACHTYPE", "x86_64-pc-linux-gnu");
  setIfNot(shell, "SHELL", "/bin/bash");
  applyOptionNames(shell);
  variables.changed();
}

function setIfNot(shell: Shell, name: string, value: string): void {
  if (shell.variables.get(name) === undefined) shell.variables.set(name, value);
}

async function setFromKernel(shell: Shell): Promise<void> {
  const { variables, sys } = shell;
  const { uid, euid } = await sys.getcredentials();
  const numbers = { UID: uid, EUID: euid, PPID: await sys.getppid() };
  for (const [name, value] of Object.entries(numbers)) {
    const variable = variables.ensure(name);
    variable.value = String(value);
    variable.isInteger = true;
    variable.isReadonly = true;
    variable.isExported = false;
  }
  if (variables.get("HOSTNAME") === undefined)
    variables.set("HOSTNAME", (await sys.uname()).nodename);
}

/** PWD is believed where it names the working directory. */
async function setPlace(shell: Shell): Promise<void> {
  const { variables, sys } = shell;
  const given = variables.get("PWD");
  if (given === undefined || !(await isSame(shell, given)))
    variables.set("PWD", await sys.getcwd());
  variables.ensure("PWD").isExported = true;
  variables.ensure("OLDPWD").isExported = true;
}

/** Shells in shells beyond this are counted from 1 again. */
const LEVEL_LIMIT = 1000;

/** One more than the SHLVL given, where that is a number. */
function nextLevel(given: unknown): number {
  const level = typeof given === "string" && /^-?\d+$/.test(given) ? Number(given) : 0;
  return Math.max(0, level + 1);
}

/** SHELLOPTS and BASHOPTS in the environment turn options on. */
function applyOptionNames(shell: Shell): void {
  for (const name of shell.startOptions) shell.options.set(name, true);
}

async function isSame(shell: Shell, path: string): Promise<boolean> {
  if (!path.startsWith("/")) return false;
  try {
    const here = await shell.sys.stat(".");
    const there = await shell.sys.stat(path);
    return here.dev === there.dev && here.ino === there.ino;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
