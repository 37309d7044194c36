import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import { withoutOwnTraps } from "../run/debug-trap.ts";
import { runTrap } from "../run/run-trap.ts";
import { DEPTH_LIMIT, type Shell } from "../state/shell.ts";
import { ShellError, saidHere } from "../state/shell-error.ts";
import { FunctionReturn, ShellExit } from "../state/unwind.ts";
import { growBytes, requireWordRoom } from "../state/word-limit.ts";
import { readFlags } from "./builtin.ts";

export async function evaluate(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "", "eval [arg ...]");
  if (flags === undefined) return 2;
  const { operands } = flags;
  const source = operands.join(" ");
  if (source.trim() === "") return 0;
  return nested(shell, () => shell.interpreter.runSource(shell, source, shell.line, "eval"));
}

export async function source(shell: Shell, words: readonly string[]): Promise<number> {
  const [command = "."] = words;
  const [path, ...positional] = words[1] === "--" ? words.slice(2) : words.slice(1);
  if (path === undefined) {
    await shell.complain(`${command}: filename argument required`);
    await shell.write(2, `${command}: usage: ${command} filename [arguments]\n`);
    return 2;
  }
  const text = await readScript(shell, path);
  if (text === undefined) {
    if (shell.options.has("posix") && !shell.isInteractive && command === ".")
      throw new ShellExit(1);
    return 1;
  }
  return runSourced(shell, { path, text, positional });
}

export interface SourcedFile {
  readonly path: string;
  readonly text: string;
  /** None: those of the shell stay. */
  readonly positional: readonly string[];
}

/** Runs a file's text in this shell, under its name. */
export async function runSourced(
  shell: Shell,
  { path, text, positional }: SourcedFile,
): Promise<number> {
  const before = shell.positional;
  shell.frames.push({
    kind: "source",
    name: path,
    callLine: shell.line,
    file: path,
    args: positional,
  });
  if (positional.length > 0) shell.positional = positional;
  const { line } = shell;
  try {
    return await withoutOwnTraps(shell, () => runFile(shell, text), ["DEBUG"]);
  } finally {
    shell.frames.pop();
    if (positional.length > 0) shell.positional = before;
    shell.line = line;
  }
}

async function runFile(shell: Shell, text: string): Promise<number> {
  const { loopDepth } = shell;
  try {
    return await nested(shell, () => shell.interpreter.runSource(shell, text));
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status;
    throw await saidHere(shell, error);
  } finally {
    shell.loopDepth = loopDepth;
    if (shell.traps.get("RETURN") !== undefined) await runTrap(shell, "RETURN");
  }
}

async function nested(shell: Shell, step: () => Promise<number>): Promise<number> {
  if (shell.depth >= DEPTH_LIMIT)
    throw new ShellError(`maximum nesting level exceeded (${DEPTH_LIMIT})`);
  shell.depth += 1;
  try {
    if (shell.depth % 16 === 0) await shell.sys.schedYield();
    return await step();
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== "line") throw error;
    await shell.complain(error.message);
    return error.status;
  } finally {
    shell.depth -= 1;
  }
}

/** A file's text, looked for along PATH unless it has a slash. */
async function readScript(shell: Shell, name: string): Promise<string | undefined> {
  const directories = name.includes("/") ? [] : (shell.variables.get("PATH") ?? "").split(":");
  const candidates = [...directories.map((directory) => `${directory}/${name}`), name];
  let words = "";
  for (const candidate of candidates) {
    try {
      return await readWhole(shell, candidate);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      words = error.errno === "EISDIR" ? "is a directory" : errorWords(error);
    }
  }
  await shell.complain(words === "is a directory" ? `.: ${name}: ${words}` : `${name}: ${words}`);
  return undefined;
}

/** The whole of a file as text. */
export async function readWhole(shell: Shell, path: string): Promise<string> {
  const { sys } = shell;
  const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
  try {
    const { size } = await sys.fstat(fd);
    requireWordRoom(size);
    let buffer = new Uint8Array(Math.max(4096, size + 1));
    let length = 0;
    for (;;) {
      if (length === buffer.length) buffer = growBytes(buffer, length + 1);
      const into = buffer.subarray(length, length + 65_536);
      const count = await shell.retry(() => sys.read(fd, into));
      if (count === 0) return decodeText(buffer.subarray(0, length));
      length += count;
    }
  } finally {
    await sys.close(fd);
  }
}
