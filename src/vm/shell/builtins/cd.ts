import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

const usage = "cd [-L|[-P [-e]] [-@]] [dir]";

export async function cd(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "LPe@", usage);
  if (flags === undefined) return 2;
  const [operand, ...more] = flags.operands;
  if (more.length > 0) {
    await shell.complain("cd: too many arguments");
    return 1;
  }
  const target = await chooseTarget(shell, operand);
  if (target === undefined) return 1;
  const isPhysical = flags.on.has("P") || shell.options.has("physical");
  const found = await enter(shell, target.path, { isPhysical, name: "cd" });
  if (found === undefined) return 1;
  if (target.isShown || found.isFromPath) await shell.write(1, `${found.path}\n`);
  return 0;
}

async function chooseTarget(
  shell: Shell,
  operand: string | undefined,
): Promise<{ readonly path: string; readonly isShown: boolean } | undefined> {
  const name = operand === undefined ? "HOME" : operand === "-" ? "OLDPWD" : undefined;
  if (name === undefined) return { path: operand ?? "", isShown: false };
  const path = shell.variables.get(name);
  if (path !== undefined) return { path, isShown: name === "OLDPWD" };
  await shell.complain(`cd: ${name} not set`);
  return undefined;
}

interface Entered {
  readonly path: string;
  readonly isFromPath: boolean;
}

/** Changes the directory for `pushd` and `popd`; false where that fails, which is said. */
export async function enterDirectory(shell: Shell, path: string, name: string): Promise<boolean> {
  const isPhysical = shell.options.has("physical");
  return (await enter(shell, path, { isPhysical, name })) !== undefined;
}

interface Manner {
  readonly isPhysical: boolean;
  /** The builtin, for messages. */
  readonly name: string;
}

async function enter(
  shell: Shell,
  path: string,
  { isPhysical, name }: Manner,
): Promise<Entered | undefined> {
  const isSearched = !/^(?:\/|\.\.?(?:\/|$))/.test(path) && path !== "";
  const prefixes = isSearched ? (shell.variables.get("CDPATH") ?? "").split(":") : [];
  for (const prefix of prefixes) {
    if (prefix === "") continue;
    if (await tryEnter(shell, `${prefix.replace(/\/$/, "")}/${path}`, isPhysical)) {
      return { path: shell.variables.get("PWD") ?? "", isFromPath: true };
    }
  }
  try {
    await change(shell, path === "" ? "." : path, isPhysical);
    return { path: shell.variables.get("PWD") ?? "", isFromPath: false };
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`${name}: ${path}: ${errorWords(error)}`);
    return undefined;
  }
}

async function tryEnter(shell: Shell, path: string, isPhysical: boolean): Promise<boolean> {
  try {
    await change(shell, path, isPhysical);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

/** Changes the directory and PWD, which keeps the links it was reached by unless `isPhysical`. */
async function change(shell: Shell, path: string, isPhysical: boolean): Promise<void> {
  const { sys, variables } = shell;
  const before = shell.directory ?? variables.get("PWD") ?? (await sys.getcwd());
  const logical = isPhysical ? undefined : await enterLogically(shell, before, path);
  if (logical === undefined) await sys.chdir(path);
  const after = logical ?? (await sys.getcwd());
  shell.directory = after;
  variables.set("OLDPWD", variables.get("PWD") ?? before);
  variables.set("PWD", after);
}

/** Where PWD leads to; undefined where it leads nowhere, as in a directory that was renamed or lies too deep. */
async function enterLogically(
  shell: Shell,
  before: string,
  path: string,
): Promise<string | undefined> {
  try {
    const logical = await normalize(shell, path.startsWith("/") ? path : `${before}/${path}`);
    await shell.sys.chdir(logical);
    return logical;
  } catch (error) {
    if (isKernelError(error, "ENOENT") || isKernelError(error, "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

/** What `..` leaves must be there. */
async function normalize(shell: Shell, path: string): Promise<string> {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.length > 0) await shell.sys.stat(`/${parts.join("/")}/`);
      parts.pop();
    } else {
      parts.push(part);
    }
  }
  return `/${parts.join("/")}`;
}
