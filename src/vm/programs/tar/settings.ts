/** tar's command line, checked. */
import { isKernelError } from "../../../kernel/index.ts";
import { changeMode } from "../file-mode.ts";
import { NameDatabase, readSmallFile } from "../name-database.ts";
import { UsageError } from "../options.ts";
import { parseDate } from "../parse-date.ts";
import { errorWords, type Run } from "../program.ts";
import { readCompression } from "./choose-compression.ts";
import { makeNameTest, type NameChange, parseTransform } from "./member-names.ts";
import type { ArchiveCompression } from "./open-archive.ts";
import { ArchiveError } from "./read-members.ts";
import { BLOCK_BYTES, type HeaderFormat } from "./tar-header.ts";

export type Operation =
  | "create"
  | "extract"
  | "list"
  | "append"
  | "update"
  | "catenate"
  | "diff"
  | "delete";

/** Without a name that of the id is stored, without an id the file's own. */
export interface Owner {
  readonly name: string | undefined;
  readonly id: number | undefined;
}

/** A directory to go to, or a name. */
export interface Step {
  readonly directory?: string;
  readonly name?: string;
}

export interface TarSettings {
  readonly operation: Operation;
  readonly file: string;
  readonly compression: ArchiveCompression;
  readonly steps: readonly Step[];
  readonly isExcluded: (name: string) => boolean;
  readonly change: NameChange;
  readonly strip: number;
  readonly showsChanged: boolean;
  readonly isAbsolute: boolean;
  readonly isRecursive: boolean;
  readonly isSorted: boolean;
  readonly owner: Owner | undefined;
  readonly group: Owner | undefined;
  readonly mtimeMs: number | undefined;
  readonly changeMode: (mode: number, isDirectory: boolean) => number;
  readonly verbosity: number;
  readonly format: HeaderFormat;
  /** What an archive is filled up to. */
  readonly recordBytes: number;
  /** A name under --one-top-level's directory. */
  readonly place: (name: string) => string;
}

/** A record of 1 MiB. */
const MOST_BLOCKS = 2048;

const operations: readonly (readonly [string, Operation])[] = [
  ["create", "create"],
  ["extract", "extract"],
  ["get", "extract"],
  ["list", "list"],
  ["append", "append"],
  ["update", "update"],
  ["catenate", "catenate"],
  ["concatenate", "catenate"],
  ["diff", "diff"],
  ["compare", "diff"],
  ["delete", "delete"],
];

/** Fails with a UsageError, or an ArchiveError where nothing can be done. */
export async function readSettings(run: Run): Promise<TarSettings> {
  const operation = readOperation(run);
  refuseUnsupported(run);
  const file = run.options.get("file") ?? "-";
  return {
    operation,
    file,
    compression: readCompression(run, operation, file),
    steps: await readSteps(run),
    isExcluded: await readExcludes(run),
    change: readChange(run),
    strip: readCount(run, "strip-components"),
    showsChanged: run.has("show-transformed-names") || run.has("show-stored-names"),
    isAbsolute: run.has("absolute-names"),
    isRecursive: run.options.last("no-recursion", "recursion") !== "no-recursion",
    isSorted: readSort(run),
    owner: await readOwner(run, "owner"),
    group: await readOwner(run, "group"),
    mtimeMs: await readTime(run),
    changeMode: readMode(run),
    verbosity: run.options.all("verbose").length,
    format: readFormat(run),
    recordBytes: readBlocking(run),
    place: readTopLevel(run, file),
  };
}

function readOperation(run: Run): Operation {
  const found = operations.filter(([option]) => run.has(option)).map(([, operation]) => operation);
  const [first] = found;
  if (first === undefined)
    throw new UsageError(
      "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options",
    );
  if (new Set(found).size > 1)
    throw new UsageError(
      "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option",
    );
  return first;
}

function refuseUnsupported(run: Run): void {
  for (const option of ["interactive", "verify"])
    if (run.has(option)) throw new UsageError(`--${option} is not supported`, { hasHint: false });
}

async function readSteps(run: Run): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let isNull = false;
  for (const [option, value] of run.options.sequence) {
    if (option === "" || option === "add-file") steps.push({ name: value });
    else if (option === "directory") steps.push({ directory: value });
    else if (option === "null") isNull = true;
    else if (option === "no-null") isNull = false;
    else if (option === "files-from") steps.push(...(await readNames(run, value, isNull)));
  }
  return steps;
}

async function readNames(run: Run, file: string, isNull: boolean): Promise<Step[]> {
  const text = await readList(run, file);
  const names = text.split(isNull ? "\0" : "\n").filter((name) => name !== "");
  const steps: Step[] = [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? "";
    const isOption = !isNull && !run.has("verbatim-files-from");
    const directory = isOption ? /^-C\s*(.*)$/.exec(name)?.[1] : undefined;
    if (directory === undefined) steps.push({ name: isOption ? name.replace(/^\s+/, "") : name });
    else if (directory !== "") steps.push({ directory });
    else steps.push({ directory: names[++at] ?? "" });
  }
  return steps;
}

async function readList(run: Run, file: string): Promise<string> {
  const text = await readSmallFile(run.sys, file === "-" ? "/dev/stdin" : file);
  if (text !== undefined) return text;
  try {
    await run.sys.stat(file);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new ArchiveError(`${file}: Cannot stat: ${errorWords(error)}`);
  }
  throw new ArchiveError(`${file}: Cannot open: Permission denied`);
}

function readFormat(run: Run): HeaderFormat {
  const format = run.has("posix") ? "posix" : (run.options.get("format") ?? "gnu");
  if (!["gnu", "oldgnu", "pax", "posix", "ustar", "v7"].includes(format))
    throw new UsageError(`${format}: Invalid archive format`);
  return format === "ustar" || format === "v7" ? format : "gnu";
}

function readBlocking(run: Run): number {
  const text = run.options.get("blocking-factor") ?? "20";
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${text}: Invalid blocking factor`);
  return Math.min(Number(text), MOST_BLOCKS) * BLOCK_BYTES;
}

function readTopLevel(run: Run, file: string): (name: string) => string {
  const given = run.options.get("one-top-level");
  if (given === undefined) return (name) => name;
  const base = file.replace(/^.*\//s, "").replace(/(?:\.tar)?(?:\.(?:gz|bz2|xz|zst|Z))?$/, "");
  const top = given === "" ? base.replace(/\.t(?:gz|bz2?|xz|zst)$/, "") : given;
  return (name) => (name === top || name.startsWith(`${top}/`) ? name : `${top}/${name}`);
}

const backupPatterns = [".#*", "*~", "#*#"];
const vcsPatterns = [
  "CVS",
  "RCS",
  "SCCS",
  ".git",
  ".gitignore",
  ".gitattributes",
  ".gitmodules",
  ".svn",
  ".hg",
  ".hgignore",
  ".hgtags",
  ".bzr",
  ".bzrignore",
  "_darcs",
  "{arch}",
];

async function readExcludes(run: Run): Promise<(name: string) => boolean> {
  const patterns = [...run.options.all("exclude")];
  for (const file of run.options.all("exclude-from"))
    patterns.push(...(await readList(run, file)).split("\n").filter((line) => line !== ""));
  if (run.has("exclude-backups")) patterns.push(...backupPatterns);
  if (run.has("exclude-vcs")) patterns.push(...vcsPatterns);
  const rules = {
    isAnchored: run.options.last("anchored", "no-anchored") === "anchored",
    hasWildcards: run.options.last("wildcards", "no-wildcards") !== "no-wildcards",
    ignoreCase: run.options.last("ignore-case", "no-ignore-case") === "ignore-case",
  };
  const tests = patterns.map((pattern) => makeNameTest(pattern, rules));
  return (name) => tests.some((test) => test(name));
}

function readChange(run: Run): NameChange {
  const changes = run.options.sequence
    .filter(([option]) => option === "transform" || option === "xform")
    .map(([, value]) => parseTransform(value));
  return (name, kind) => changes.reduce((current, change) => change(current, kind), name);
}

function readCount(run: Run, option: string): number {
  const text = run.options.get(option) ?? "0";
  if (!/^\d+$/.test(text)) throw new UsageError(`${text}: Invalid number of elements`);
  return Number(text);
}

function readSort(run: Run): boolean {
  const order = run.options.get("sort") ?? "none";
  if (!["none", "name", "inode"].includes(order))
    throw new UsageError(
      `invalid argument '${order}' for '--sort'\nValid arguments are:\n  - 'none'\n  - 'name'\n  - 'inode'`,
      { hasHint: false },
    );
  return order === "name";
}

/** `NAME`, `NAME:ID` or an id. */
async function readOwner(run: Run, option: "owner" | "group"): Promise<Owner | undefined> {
  const text = run.options.get(option);
  if (text === undefined) return undefined;
  const [name = "", id] = text.split(":");
  if (id !== undefined && /^\d+$/.test(id)) return { name, id: Number(id) };
  if (/^\d+$/.test(name)) return { name: undefined, id: Number(name) };
  const names = new NameDatabase(run.sys);
  const found =
    option === "owner" ? (await names.findUser(name))?.uid : (await names.findGroup(name))?.gid;
  return { name, id: found };
}

async function readTime(run: Run): Promise<number | undefined> {
  const text = run.options.get("mtime");
  if (text === undefined) return undefined;
  if (/^[./]/.test(text)) {
    try {
      return (await run.sys.stat(text)).mtimeMs;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(
        `${text}: Cannot stat: ${errorWords(error)}\n${run.name}: Date sample file not found`,
      );
    }
  }
  const { nowMs } = await run.sys.clock();
  const timeMs = parseDate(text, nowMs);
  if (timeMs === undefined) throw new UsageError(`Invalid mtime: ${text}`, { hasHint: false });
  return timeMs;
}

function readMode(run: Run): (mode: number, isDirectory: boolean) => number {
  const change = run.options.get("mode");
  if (change === undefined) return (mode) => mode;
  const apply = (mode: number, isDirectory: boolean): number | undefined =>
    changeMode({ mode, isDirectory, umask: 0 }, change);
  if (apply(0, false) === undefined) throw new ArchiveError("Invalid mode given on option");
  return (mode, isDirectory) => apply(mode, isDirectory) ?? mode;
}
