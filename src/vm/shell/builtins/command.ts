/** `command`, `builtin`, `type`, `exec`: which command a name is. */
import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import { findAll, findProgram } from "../run/find-command.ts";
import { execProgram } from "../run/program-command.ts";
import type { Shell } from "../state/shell.ts";
import { ShellExit } from "../state/unwind.ts";
import { printFunction } from "../syntax/print-command.ts";
import { type Flags, readFlags } from "./builtin.ts";
import { isBuiltinName } from "./builtin-names.ts";

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

/** Where `command -p` looks. */
const standardPath = "/bin:/usr/bin";

export async function command(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "pVv", "command [-pVv] command [arg ...]");
  if (flags === undefined) return 2;
  const [name] = flags.operands;
  if (name === undefined) return 0;
  if (flags.on.has("v") || flags.on.has("V")) return describeAll(shell, flags);
  const path = flags.on.has("p") ? standardPath : undefined;
  return shell.interpreter.runWords(shell, flags.operands, "no-functions", path);
}

export async function builtin(shell: Shell, words: readonly string[]): Promise<number> {
  const operands = words[1] === "--" ? words.slice(2) : words.slice(1);
  return operands.length === 0 ? 0 : shell.interpreter.runWords(shell, operands, "builtins");
}

async function describeAll(shell: Shell, { on, operands }: Flags): Promise<number> {
  const isLong = on.has("V");
  const path = on.has("p") ? standardPath : undefined;
  let status = 1;
  for (const name of operands) {
    const [found] = await identify(shell, name, "first", path);
    if (found !== undefined) {
      status = 0;
      await shell.write(1, `${isLong ? found.long : found.short}\n`);
    } else if (isLong) {
      await shell.complain(`command: ${name}: not found`);
    }
  }
  return status;
}

interface Identity {
  readonly kind: "alias" | "keyword" | "function" | "builtin" | "file";
  /** As `command -v` says it. */
  readonly short: string;
  /** As `type` says it. */
  readonly long: string;
  readonly path?: string;
}

async function identify(
  shell: Shell,
  name: string,
  extent: "first" | "all",
  searchPath?: string,
): Promise<Identity[]> {
  const found: Identity[] = [];
  const alias = shell.aliases.get(name);
  if (alias !== undefined) {
    found.push({
      kind: "alias",
      short: `alias ${name}='${alias}'`,
      long: `${name} is aliased to \`${alias}'`,
    });
  }
  if (keywords.includes(name))
    found.push({ kind: "keyword", short: name, long: `${name} is a shell keyword` });
  const definition = shell.functions.get(name);
  if (definition !== undefined) {
    found.push({
      kind: "function",
      short: name,
      long: `${name} is a function\n${printFunction(definition)}`,
    });
  }
  if (isBuiltinName(name) && !shell.disabledBuiltins.has(name))
    found.push({ kind: "builtin", short: name, long: `${name} is a shell builtin` });
  if (found.length > 0 && extent === "first") return found.slice(0, 1);
  for (const path of await findFiles(shell, name, extent, searchPath)) {
    const isHashed = extent === "first" && shell.hash.get(name) === path && !name.includes("/");
    const long = isHashed ? `${name} is hashed (${path})` : `${name} is ${path}`;
    found.push({ kind: "file", short: path, long, path });
  }
  return found;
}

async function findFiles(
  shell: Shell,
  name: string,
  extent: "first" | "all",
  searchPath?: string,
): Promise<string[]> {
  if (!name.includes("/")) {
    const hashed = searchPath === undefined ? shell.hash.get(name) : undefined;
    if (extent === "first" && hashed !== undefined) return [hashed];
    const path = searchPath ?? shell.variables.get("PATH") ?? "";
    return findAll(shell, name, path, extent === "first");
  }
  try {
    const stat = await shell.sys.stat(name);
    return stat.kind === "file" && (stat.mode & 0o111) !== 0 ? [name] : [];
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}

export async function type(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "afptP", "type [-afptP] name [name ...]");
  if (flags === undefined) return 2;
  let status = 0;
  for (const name of flags.operands) {
    const all = await identify(
      shell,
      name,
      flags.on.has("a") || flags.on.has("P") || flags.on.has("f") ? "all" : "first",
    );
    const hashed = flags.on.has("a") ? undefined : shell.hash.get(name);
    if (flags.on.has("P") && hashed !== undefined) {
      await shell.write(1, `${hashed}\n`);
      continue;
    }
    const kept = all.filter((one) => isWanted(one, flags.on));
    const shown = flags.on.has("a") ? kept : kept.slice(0, 1);
    for (const one of shown) await shell.write(1, showType(one, flags.on));
    if (shown.length > 0 || (flags.on.has("p") && all.length > 0)) continue;
    status = 1;
    if (!flags.on.has("t") && !flags.on.has("p") && !flags.on.has("P"))
      await shell.complain(`type: ${name}: not found`);
  }
  return status;
}

function isWanted(one: Identity, on: ReadonlySet<string>): boolean {
  if (on.has("f") && one.kind === "function") return false;
  return one.kind === "file" || !(on.has("P") || on.has("p"));
}

function showType(one: Identity, on: ReadonlySet<string>): string {
  if (on.has("t")) return `${one.kind}\n`;
  return on.has("p") || on.has("P") ? `${one.path ?? ""}\n` : `${one.long}\n`;
}

/** `exec` with a command; without one the caller has kept its redirections. */
export async function exec(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(
    shell,
    words,
    "cla:",
    "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
  );
  if (flags === undefined) return 2;
  const [name] = flags.operands;
  if (name === undefined) return 0;
  const path = await findProgram(shell, name);
  const self = `${flags.on.has("l") ? "-" : ""}${flags.values.get("a") ?? name}`;
  const argv = [self, ...flags.operands.slice(1)];
  try {
    if (path === undefined) {
      await shell.complain(`exec: ${name}: not found`);
    } else {
      const environment = flags.on.has("c") ? new Map<string, string>() : undefined;
      return await execProgram(
        shell,
        { words: argv, plan: undefined, environment, command: undefined },
        path,
      );
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`${name}: ${errorWords(error)}`);
    if (!shell.isInteractive && !shell.options.has("execfail"))
      throw new ShellExit(error.errno === "ENOENT" ? 127 : 126);
    return 126;
  }
  if (!shell.isInteractive && !shell.options.has("execfail")) throw new ShellExit(127);
  return 127;
}
