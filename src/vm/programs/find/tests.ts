/** find's tests: what each asks of a file. */
import { isKernelError, R_OK, type Stat, W_OK, X_OK } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { readDirectory } from "../directory.ts";
import { changeMode } from "../file-mode.ts";
import { errorWords, quoteName, type Run } from "../program.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { TextRegExp } from "../regexp/text-regexp.ts";
import { findStat } from "../run-command.ts";
import { zoneOf } from "../time-zone.ts";
import type { FindFile } from "./file.ts";
import { numberTest, refusal } from "./number-test.ts";
import type { Test, TestContext } from "./test.ts";
import { ageTest, newerTest } from "./time-tests.ts";

/** The test a word names; undefined where it is none. */
export async function findTest(word: string, context: TestContext): Promise<Test | undefined> {
  return (
    nameTest(word, context) ??
    statTest(word, context) ??
    accessTest(word, context) ??
    (await ownerTest(word, context))
  );
}

function nameTest(word: string, { run, value, state }: TestContext): Test | undefined {
  switch (word) {
    case "-name":
    case "-iname": {
      const regExp = compilePattern(value(), { ignoreCase: word === "-iname" });
      return (file) => regExp.test(file.name === "" ? "/" : file.name);
    }
    case "-path":
    case "-wholename":
    case "-iwholename":
    case "-ipath": {
      const regExp = compilePattern(value(), { ignoreCase: word.startsWith("-i") });
      return (file) => regExp.test(file.path);
    }
    case "-regex":
    case "-iregex": {
      const regExp = readRegExp(value(), state.syntax, word === "-iregex");
      return (file) => regExp.test(file.path);
    }
    case "-regextype":
      state.syntax = readSyntax(value());
      return () => true;
    case "-ilname":
    case "-lname": {
      const regExp = compilePattern(value(), { ignoreCase: word === "-ilname" });
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

function statTest(word: string, { run, nowMs, value, state }: TestContext): Test | undefined {
  switch (word) {
    case "-type":
      return kindTest(word, value());
    case "-xtype":
      return targetKindTest(run, kindTest(word, value()));
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
      return ageTest(word, value(), nowMs, state.isFromDayStart);
    case "-perm":
      return permissionTest(value());
    case "-used":
      return numberTest(word, value(), ({ stat }) =>
        Math.floor((stat.atimeMs - stat.ctimeMs) / 86_400_000),
      );
    case "-links":
      return numberTest(word, value(), (file) => file.stat.nlink);
    case "-inum":
      return numberTest(word, value(), (file) => file.stat.ino);
    case "-uid":
      return numberTest(word, value(), (file) => file.stat.uid);
    case "-gid":
      return numberTest(word, value(), (file) => file.stat.gid);
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
    case "-samefile": {
      const { dev, ino } = await readStat(run, value());
      return ({ stat }) => stat.dev === dev && stat.ino === ino;
    }
    case "-nouser":
      return async ({ stat }) => (await names.findUser(stat.uid)) === undefined;
    case "-nogroup":
      return async ({ stat }) => (await names.findGroup(stat.gid)) === undefined;
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
      return newerTest(word, {
        value,
        stat: (path) => readStat(run, path),
        nowMs: (await run.sys.clock()).nowMs,
        zone: await zoneOf(run.sys),
      });
  }
}

async function readStat(run: Run, path: string): Promise<Stat> {
  try {
    return await run.sys.stat(path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw refusal(`${quoteName(path)}: ${errorWords(error)}`);
  }
}

const syntaxes = new Map<string, TestContext["state"]["syntax"]>([
  ["findutils-default", "emacs"],
  ["ed", "basic"],
  ["emacs", "emacs"],
  ["gnu-awk", "extended"],
  ["grep", "basic"],
  ["posix-awk", "extended"],
  ["awk", "extended"],
  ["posix-basic", "basic"],
  ["posix-egrep", "extended"],
  ["egrep", "extended"],
  ["posix-extended", "extended"],
  ["posix-minimal-basic", "basic"],
  ["sed", "basic"],
]);

function readSyntax(name: string): TestContext["state"]["syntax"] {
  const syntax = syntaxes.get(name);
  if (syntax !== undefined) return syntax;
  const names = [...syntaxes.keys()].map((one) => `'${one}'`).join(", ");
  throw refusal(`Unknown regular expression type '${name}'; valid types are ${names}.`);
}

function readRegExp(
  text: string,
  syntax: TestContext["state"]["syntax"],
  ignoreCase: boolean,
): TextRegExp {
  try {
    return new TextRegExp(text, {
      syntax,
      flavour: syntax === "extended" ? "regcomp" : "gnu",
      ignoreCase,
      isMultiline: true,
      place: "whole",
    });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw refusal(`failed to compile regular expression '${text}': ${error.message}`);
  }
}

/** The kind of what a link leads to; a broken one is a link. */
function targetKindTest(run: Run, test: Test): Test {
  return async (file) => {
    if (file.stat.kind !== "symlink") return test(file);
    const target = await findStat(run.sys, file.path);
    return test(target === undefined ? file : { ...file, stat: target });
  };
}

function kindTest(word: string, value: string): Test {
  const wanted = value.split(",").map((letter) => kinds.get(letter));
  if (wanted.includes(undefined)) throw refusal(`Unknown argument to ${word}: ${value}`);
  return (file) => wanted.includes(file.stat.kind);
}

function sizeTest(word: string, value: string): Test {
  const match = /^([-+]?)(\d+)([cwbkMG]?)$/.exec(value);
  if (match === null) {
    const isUnit = /^[-+]?\d+.$/s.test(value) || /^[^\d+-]$/s.test(value);
    throw refusal(
      isUnit
        ? `invalid -size type \`${value.slice(-1)}'`
        : `Invalid argument \`${value}' to ${word}`,
    );
  }
  const units = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  const unit = new Map(Object.entries(units)).get(match[3] || "b") ?? 512;
  return numberTest(word, `${match[1]}${match[2]}`, (file) => Math.ceil(file.stat.size / unit));
}

async function isEmpty(run: Run, file: FindFile): Promise<boolean> {
  if (file.stat.kind === "file") return file.stat.size === 0;
  if (file.stat.kind !== "directory") return false;
  return (await readDirectory(run.sys, file.path)).length === 0;
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
