/** Choosing processes by what they are, for `pgrep`, `pkill`, `pidof` and `killall`. */
import { type Sys } from "../../kernel/index.ts";
import { NameDatabase } from "./name-database.ts";
import { type OptionRow, UsageError } from "./options.ts";
import { listProcesses, type ProcessRow } from "./process-list.ts";
import type { Run } from "./program.ts";
import { RegExpSyntaxError } from "./regexp/errors.ts";
import { TextRegExp } from "./regexp/text-regexp.ts";

/** What pgrep(1) and pkill(1) choose by. */
export const selectionOptions: readonly OptionRow[] = [
  { short: "c", long: "count", help: "count of matching processes" },
  { short: "f", long: "full", help: "use full process name to match" },
  { short: "g", long: "pgroup", value: "PGID,...", help: "match listed process group IDs" },
  { short: "G", long: "group", value: "GID,...", help: "match real group IDs" },
  { short: "i", long: "ignore-case", help: "match case insensitively" },
  { short: "n", long: "newest", help: "select most recently started" },
  { short: "o", long: "oldest", help: "select least recently started" },
  { short: "O", long: "older", value: "SECONDS", help: "select where older than seconds" },
  {
    short: "P",
    long: "parent",
    value: "PPID,...",
    help: "match only child processes of the given parent",
  },
  { short: "s", long: "session", value: "SID,...", help: "match session IDs" },
  { short: "t", long: "terminal", value: "TTY,...", help: "match by controlling terminal" },
  { short: "u", long: "euid", value: "ID,...", help: "match by effective IDs" },
  { short: "U", long: "uid", value: "ID,...", help: "match by real IDs" },
  { short: "x", long: "exact", help: "match exactly with the command name" },
  { short: "F", long: "pidfile", value: "FILE", help: "read PIDs from file" },
  { short: "r", long: "runstates", value: "STATE", help: "match runstates [D,S,Z,...]" },
  { short: "v", long: "inverse", help: "negates the matching" },
];

type Test = (row: ProcessRow) => boolean;

/** The processes that fit, without the one that asks. Fails with a UsageError. */
export async function selectProcesses(run: Run): Promise<ProcessRow[]> {
  const { sys } = run;
  const tests = await readTests(run);
  const own = await sys.getpid();
  const nowMs = (await sys.clock()).nowMs;
  const older = run.options.get("older");
  const isInverse = run.has("inverse");
  const rows = (await listProcesses(sys)).filter((row) => {
    if (row.pid === own) return false;
    if (older !== undefined && nowMs - row.startMs < Number(older) * 1000) return false;
    return tests.every((test) => test(row)) !== isInverse;
  });
  const byStart = rows.toSorted((a, b) => a.startMs - b.startMs || a.pid - b.pid);
  if (run.has("newest")) return byStart.slice(-1);
  return run.has("oldest") ? byStart.slice(0, 1) : rows;
}

async function readTests(run: Run): Promise<Test[]> {
  const [pattern, ...more] = run.operands;
  const tests: Test[] = [];
  if (more.length > 0) throw new UsageError("only one pattern can be provided", { status: 2 });
  tests.push(...(await listTests(run)));
  if (pattern === undefined && tests.length === 0) {
    throw new UsageError("no matching criteria specified", { status: 2 });
  }
  if (pattern !== undefined) tests.push(patternTest(run, pattern));
  return tests;
}

function patternTest(run: Run, pattern: string): Test {
  const regExp = readExtended(run, pattern);
  return (row) => regExp.test(run.has("full") ? row.args : row.comm);
}

function readExtended(run: Run, pattern: string): TextRegExp {
  try {
    return new TextRegExp(pattern, {
      syntax: "extended",
      ignoreCase: run.has("ignore-case"),
      place: run.has("exact") ? "whole" : "anywhere",
    });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw new UsageError(`regex error: ${error.message}`, { status: 2, hasHint: false });
  }
}

async function listTests(run: Run): Promise<Test[]> {
  const names = new NameDatabase(run.sys);
  const tests: Test[] = [];
  const numbers = async (option: string, pick: (row: ProcessRow) => number): Promise<void> => {
    const list = await readIds(run, names, option);
    if (list !== undefined) tests.push((row) => list.includes(pick(row)));
  };
  await numbers("pgroup", (row) => row.pgid);
  await numbers("group", (row) => row.gid);
  await numbers("parent", (row) => row.ppid);
  await numbers("session", (row) => row.sid);
  await numbers("euid", (row) => row.euid);
  await numbers("uid", (row) => row.uid);
  const terminals = run.options.get("terminal")?.split(",");
  if (terminals !== undefined)
    tests.push((row) => terminals.some((name) => name.replace(/^\/dev\//, "") === row.tty));
  const states = run.options.get("runstates");
  if (states !== undefined) tests.push((row) => states.includes(row.state));
  return tests;
}

async function readIds(
  run: Run,
  names: NameDatabase,
  option: string,
): Promise<number[] | undefined> {
  const text = run.options.get(option);
  if (text === undefined) return undefined;
  const ids: number[] = [];
  for (const word of text.split(",")) {
    const named =
      option === "group" ? (await names.findGroup(word))?.gid : (await names.findUser(word))?.uid;
    const id = /^\d+$/.test(word)
      ? Number(word)
      : option.endsWith("id") || option === "group"
        ? named
        : undefined;
    if (id === undefined) {
      const what = option === "group" ? "group" : option.endsWith("id") ? "user" : "process";
      throw new UsageError(`invalid ${what} name: ${word}`, { status: 2, hasHint: false });
    }
    ids.push(
      id === 0 && (option === "pgroup" || option === "session") ? await ownId(run.sys, option) : id,
    );
  }
  return ids;
}

/** 0 stands for the group or session of whoever asks. */
async function ownId(sys: Sys, option: string): Promise<number> {
  return option === "pgroup" ? sys.getpgid(0) : sys.getsid(0);
}
