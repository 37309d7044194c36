/** `dirs`, `pushd`, `popd`. The first of the stack is the working directory; the rest is kept. */
import type { Shell } from "../state/shell.ts";
import { enterDirectory } from "./cd.ts";
import { writeOutput } from "./echo.ts";

const usages = {
  dirs: "dirs [-clpv] [+N] [-N]",
  pushd: "pushd [-n] [+N | -N | dir]",
  popd: "popd [-n] [+N | -N]",
};

interface Request {
  readonly letters: ReadonlySet<string>;
  /** `+N` or `-N`, as a place from the left. */
  readonly index: number | undefined;
  readonly operands: readonly string[];
}

type Name = keyof typeof usages;

export async function dirs(shell: Shell, words: readonly string[]): Promise<number> {
  const request = await readRequest(shell, "dirs", words, "clpv");
  if (typeof request === "number") return request;
  const { letters, index, operands } = request;
  if (operands[0] !== undefined) return refuse(shell, "dirs", `${operands[0]}: invalid option`);
  if (letters.has("c")) {
    shell.directoryStack.length = 0;
    return 0;
  }
  const all = stackOf(shell).map((path) => (letters.has("l") ? path : shorten(shell, path)));
  if (index !== undefined) return writeOutput(shell, "dirs", `${all[index] ?? ""}\n`);
  if (letters.has("v")) {
    const lines = all.map((path, at) => `${String(at).padStart(2)}  ${path}\n`);
    return writeOutput(shell, "dirs", lines.join(""));
  }
  return writeOutput(shell, "dirs", `${all.join(letters.has("p") ? "\n" : " ")}\n`);
}

export async function pushd(shell: Shell, words: readonly string[]): Promise<number> {
  const request = await readRequest(shell, "pushd", words, "n");
  if (typeof request === "number") return request;
  const { letters, index, operands } = request;
  if (operands.length > 1) {
    await shell.complain("pushd: too many arguments");
    return 1;
  }
  const [target] = operands;
  const [here = "/", ...rest] = stackOf(shell);
  if (target === undefined || index !== undefined) return rotate(shell, index ?? 1, letters);
  if (letters.has("n")) {
    shell.directoryStack.unshift(target);
    return dirs(shell, ["dirs"]);
  }
  if (!(await enterDirectory(shell, target, "pushd"))) return 1;
  return settle(shell, [here, ...rest]);
}

/** Brings a place of the stack to its front. */
async function rotate(shell: Shell, index: number, letters: ReadonlySet<string>): Promise<number> {
  const stack = stackOf(shell);
  if (stack.length < 2) {
    await shell.complain("pushd: no other directory");
    return 1;
  }
  const turned = [...stack.slice(index), ...stack.slice(0, index)];
  const [first = "/", ...rest] = turned;
  if (!letters.has("n") && !(await enterDirectory(shell, first, "pushd"))) return 1;
  return settle(shell, rest);
}

export async function popd(shell: Shell, words: readonly string[]): Promise<number> {
  const request = await readRequest(shell, "popd", words, "n");
  if (typeof request === "number") return request;
  const { letters, index = 0, operands } = request;
  if (operands[0] !== undefined) return refuse(shell, "popd", `${operands[0]}: invalid argument`);
  if (shell.directoryStack.length === 0) {
    await shell.complain("popd: directory stack empty");
    return 1;
  }
  const rest = [...shell.directoryStack];
  if (index > 0 || letters.has("n")) {
    rest.splice(Math.max(0, index - 1), 1);
    return settle(shell, rest);
  }
  const [next = "/", ...others] = rest;
  if (!(await enterDirectory(shell, next, "popd"))) return 1;
  return settle(shell, others);
}

/** Keeps the stack behind the working directory, and shows it. */
async function settle(shell: Shell, rest: readonly string[]): Promise<number> {
  shell.directoryStack.splice(0, shell.directoryStack.length, ...rest);
  return dirs(shell, ["dirs"]);
}

function stackOf(shell: Shell): string[] {
  return [shell.directory ?? shell.variables.get("PWD") ?? "/", ...shell.directoryStack];
}

async function readRequest(
  shell: Shell,
  name: Name,
  words: readonly string[],
  known: string,
): Promise<Request | number> {
  const letters = new Set<string>();
  let index: number | undefined;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { letters, index, operands: words.slice(at + 1) };
    if (/^[-+]\d+$/.test(word)) {
      const found = await findIndex(shell, name, word);
      if (found === undefined) return 1;
      index = found;
    } else if (/^-./.test(word) && [...word.slice(1)].every((letter) => known.includes(letter))) {
      for (const letter of word.slice(1)) letters.add(letter);
    } else if (/^[-+]./.test(word)) {
      return refuse(shell, name, `${word}: invalid number`);
    } else {
      return { letters, index, operands: words.slice(at) };
    }
  }
  return { letters, index, operands: [] };
}

/** `-N` counts from the right. */
async function findIndex(shell: Shell, name: Name, word: string): Promise<number | undefined> {
  const { length } = stackOf(shell);
  const count = Number(word.slice(1));
  const index = word.startsWith("-") ? length - 1 - count : count;
  if (index >= 0 && index < length) return index;
  const isEmpty = length < 2 && name !== "dirs";
  await shell.complain(
    isEmpty
      ? `${name}: directory stack empty`
      : `${name}: ${word.replace("+", "")}: directory stack index out of range`,
  );
  return undefined;
}

async function refuse(shell: Shell, name: Name, message: string): Promise<number> {
  await shell.complain(`${name}: ${message}`);
  await shell.write(2, `${name}: usage: ${usages[name]}\n`);
  return 2;
}

function shorten(shell: Shell, path: string): string {
  const home = shell.variables.get("HOME");
  if (home === undefined || home === "" || (path !== home && !path.startsWith(`${home}/`)))
    return path;
  return `~${path.slice(home.length)}`;
}
