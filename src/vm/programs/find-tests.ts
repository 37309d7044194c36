/** find's tests: what each asks of a file. */
import { isKernelError, R_OK, type Stat, W_OK, X_OK } from "../../kernel/index.ts";
import { compilePattern, makeRegExp } from "../shell/expansion/pattern.ts";
import { readDirectory } from "./directory.ts";
import { changeMode } from "./file-mode.ts";
import type { FindFile } from "./find-file.ts";
import type { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { translateRegExp } from "./posix-regexp.ts";
import { quoteName, type Run } from "./program.ts";

export type Test = (file: FindFile) => boolean | Promise<boolean>;

/** What a test may need while it is made. */
export interface TestContext {
  readonly run: Run;
  readonly nowMs: number;
  readonly names: NameDatabase;
  /** Takes the word after the test. Fails with a UsageError where there is none. */
  readonly value: () => string;
}

/** The test a word names; undefined where it is none. */
export async function findTest(word: string, context: TestContext): Promise<Test | undefined> {
  return (
    nameTest(word, context) ??
    statTest(word, context) ??
    accessTest(word, context) ??
    (await ownerTest(word, context))
  );
}

function nameTest(word: string, { run, value }: TestContext): Test | undefined {
  switch (word) {
    case "-name":
    case "-iname": {
      const regExp = compilePattern(value(), { ignoreCase: word === "-iname" });
      return (file) => regExp.test(file.name === "" ? "/" : file.name);
    }
    case "-path":
    case "-wholename":
    case "-ipath": {
      const regExp = compilePattern(value(), { ignoreCase: word === "-ipath" });
      return (file) => regExp.test(file.path);
    }
    case "-regex":
    case "-iregex": {
      const source = translateRegExp(value(), { syntax: "basic" });
      const regExp = makeRegExp(`^(?:${source})$`, word === "-iregex");
      return (file) => regExp.test(file.path);
    }
    case "-regextype":
      value();
      return () => true;
    case "-lname": {
      const regExp = compilePattern(value());
      return async (file) =>
        file.stat.kind === "symlink" && regExp.test(await run.sys.readlink(file.path));
    }
    default:
      return undefined;
  }
}

const kinds = new Map<string, Stat["kind"]>([
  ["f", "file"],
  ["d", "directory"],
  ["l", "symlink"],
  ["p", "fifo"],
  ["c", "device"],
  ["s", "socket"],
]);

function statTest(word: string, { run, nowMs, value }: TestContext): Test | undefined {
  switch (word) {
    case "-type":
    case "-xtype":
      return kindTest(word, value());
    case "-empty":
      return (file) => isEmpty(run, file);
    case "-size":
      return sizeTest(word, value());
    case "-mtime":
    case "-atime":
    case "-ctime":
    case "-mmin":
    case "-amin":
    case "-cmin":
      return ageTest(word, value(), nowMs);
    case "-perm":
      return permissionTest(value());
    case "-links":
      return numberTest(value(), (file) => file.stat.nlink);
    case "-inum":
      return numberTest(value(), (file) => file.stat.ino);
    case "-uid":
      return numberTest(value(), (file) => file.stat.uid);
    case "-gid":
      return numberTest(value(), (file) => file.stat.gid);
    default:
      return undefined;
  }
}

function accessTest(word: string, { run }: TestContext): Test | undefined {
  const mode = { "-readable": R_OK, "-writable": W_OK, "-executable": X_OK }[word];
  if (mode === undefined) return undefined;
  return async (file) => {
    try {
      await run.sys.access(file.path, mode);
      return true;
    } catch (error) {
      if (isKernelError(error)) return false;
      throw error;
    }
  };
}

async function ownerTest(
  word: string,
  { run, names, value }: TestContext,
): Promise<Test | undefined> {
  switch (word) {
    case "-newer": {
      const { mtimeMs } = await run.sys.stat(value());
      return (file) => file.stat.mtimeMs > mtimeMs;
    }
    case "-user": {
      const name = value();
      const uid = (await names.findUser(name))?.uid ?? Number(name);
      if (Number.isNaN(uid)) throw refusal(`${quoteName(name)} is not the name of a known user`);
      return (file) => file.stat.uid === uid;
    }
    case "-group": {
      const name = value();
      const gid = (await names.findGroup(name))?.gid ?? Number(name);
      if (Number.isNaN(gid)) {
        throw refusal(`${quoteName(name)} is not the name of an existing group`);
      }
      return (file) => file.stat.gid === gid;
    }
    default:
      return undefined;
  }
}

function kindTest(word: string, value: string): Test {
  const wanted = value.split(",").map((letter) => kinds.get(letter));
  if (wanted.includes(undefined)) throw refusal(`Unknown argument to ${word}: ${value}`);
  return (file) => wanted.includes(file.stat.kind);
}

function sizeTest(word: string, value: string): Test {
  const match = /^([-+]?)(\d+)([cwbkMG]?)$/.exec(value);
  if (match === null) throw refusal(`Invalid argument \`${value}' to ${word}`);
  const units = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  const unit = new Map(Object.entries(units)).get(match[3] || "b") ?? 512;
  return numberTest(`${match[1]}${match[2]}`, (file) => Math.ceil(file.stat.size / unit));
}

async function isEmpty(run: Run, file: FindFile): Promise<boolean> {
  if (file.stat.kind === "file") return file.stat.size === 0;
  if (file.stat.kind !== "directory") return false;
  return (await readDirectory(run.sys, file.path)).length === 0;
}

/** `5`, `+5` (more) or `-5` (less). */
function numberTest(text: string, value: (file: FindFile) => number): Test {
  const match = /^([-+]?)(\d+)$/.exec(text);
  if (match === null) throw refusal(`invalid argument \`${text}'`);
  const wanted = Number(match[2]);
  if (match[1] === "+") return (file) => value(file) > wanted;
  if (match[1] === "-") return (file) => value(file) < wanted;
  return (file) => value(file) === wanted;
}

function ageTest(word: string, text: string, nowMs: number): Test {
  const unitMs = word.endsWith("min") ? 60_000 : 86_400_000;
  const which = word.charAt(1);
  return numberTest(text, ({ stat }) => {
    const timeMs = which === "a" ? stat.atimeMs : which === "c" ? stat.ctimeMs : stat.mtimeMs;
    const age = (nowMs - timeMs) / unitMs;
    return word.endsWith("min") ? Math.ceil(age) : Math.floor(age);
  });
}

/** `mode` exactly, `-mode` all of it, `/mode` any of it. */
function permissionTest(text: string): Test {
  const kind = /^[-/]/.exec(text)?.[0];
  const subject = { mode: 0, isDirectory: false, umask: 0 };
  const mode = changeMode(subject, kind === undefined ? text : text.slice(1));
  if (mode === undefined) throw refusal(`invalid mode ${quoteName(text)}`);
  if (kind === "-") return ({ stat }) => (stat.mode & mode) === mode;
  if (kind === "/") return ({ stat }) => mode === 0 || (stat.mode & mode) !== 0;
  return ({ stat }) => stat.mode === mode;
}

function refusal(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}
