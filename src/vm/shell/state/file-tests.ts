/** The tests that `test`, `[` and `[[` share. */
import {
  type FileKind,
  isKernelError,
  R_OK,
  S_ISGID,
  S_ISUID,
  S_ISVTX,
  type Stat,
  W_OK,
  X_OK,
} from "../../../kernel/index.ts";
import { isTerminal } from "../../programs/is-terminal.ts";
import { readElement, scalarOf } from "./assign.ts";
import { askKernel } from "./dynamic-variables.ts";
import type { Shell } from "./shell.ts";
import { prepareSubscript, readSubscript } from "./subscript.ts";
import { AssociativeArray, splitElement } from "./variables.ts";

/** Whether `letter` (without the dash) is a unary test. */
export function isUnaryTest(letter: string): boolean {
  return /^[abcdefghknoprstuvwxzGLNORS]$/.test(letter);
}

export async function testUnary(shell: Shell, letter: string, operand: string): Promise<boolean> {
  switch (letter) {
    case "z":
      return operand === "";
    case "n":
      return operand !== "";
    case "v":
      return isSet(shell, operand);
    case "R":
      return shell.variables.findUnresolved(operand)?.isReference === true;
    case "o":
      return shell.options.has(operand);
    case "t":
      return isTerminal(shell.sys, Number(operand));
    case "r":
      return canAccess(shell, operand, R_OK);
    case "w":
      return canAccess(shell, operand, W_OK);
    case "x":
      return canAccess(shell, operand, X_OK);
    default:
      return testFile(shell, letter, operand);
  }
}

/** `-nt`, `-ot`, `-ef`. */
export async function compareFiles(
  shell: Shell,
  operator: string,
  left: string,
  right: string,
): Promise<boolean> {
  const one = await findStat(shell, left);
  const two = await findStat(shell, right);
  if (operator === "-ef")
    return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
  const newer = operator === "-nt" ? one : two;
  const older = operator === "-nt" ? two : one;
  if (newer === undefined) return false;
  return older === undefined || newer.mtimeMs > older.mtimeMs;
}

const kinds = new Map<string, FileKind>([
  ["f", "file"],
  ["d", "directory"],
  ["p", "fifo"],
  ["S", "socket"],
  ["c", "device"],
]);

async function testFile(shell: Shell, letter: string, path: string): Promise<boolean> {
  if (letter === "h" || letter === "L")
    return (await findStat(shell, path, true))?.kind === "symlink";
  const stat = await findStat(shell, path);
  if (stat === undefined) return false;
  const kind = kinds.get(letter);
  if (kind !== undefined) return stat.kind === kind;
  switch (letter) {
    case "s":
      return stat.size > 0;
    case "u":
      return (stat.mode & S_ISUID) !== 0;
    case "g":
      return (stat.mode & S_ISGID) !== 0;
    case "k":
      return (stat.mode & S_ISVTX) !== 0;
    case "O":
      return stat.uid === (await shell.sys.getcredentials()).euid;
    case "G":
      return stat.gid === (await shell.sys.getcredentials()).egid;
    case "N":
      return stat.mtimeMs > stat.atimeMs;
    case "b":
      return false;
    default:
      return true;
  }
}

async function findStat(shell: Shell, path: string, isLink = false): Promise<Stat | undefined> {
  if (path === "") return undefined;
  try {
    return await (isLink ? shell.sys.lstat(path) : shell.sys.stat(path));
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

async function canAccess(shell: Shell, path: string, mode: number): Promise<boolean> {
  try {
    await shell.sys.access(path, mode);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

async function isSet(shell: Shell, text: string): Promise<boolean> {
  const { variables } = shell;
  if (/^\d+$/.test(text)) return text === "0" || shell.positional.length >= Number(text);
  const target = splitElement(text) ?? variables.follow(text);
  if (target === undefined) return false;
  const { name, index } = target;
  const variable = variables.find(name);
  if (variable === undefined) return false;
  if (variable.dynamic !== undefined) await askKernel(shell, name);
  const value = variables.valueOf(variable);
  if (index === undefined) return scalarOf(value) !== undefined;
  if (index === "@" || index === "*") {
    if (value === undefined || typeof value === "string") return value !== undefined;
    if (value instanceof AssociativeArray && value.has(index)) return true;
    return value.size > 0;
  }
  const kind = value instanceof AssociativeArray ? "key" : "index";
  await prepareSubscript(shell, index, kind);
  return readElement(shell, name, readSubscript(shell, index, kind)) !== undefined;
}
