/** What the script in a sandbox says of files, checked: it is the sandbox's word. */
import { decodeText, type FileKind, KernelError, type Stat } from "../../../kernel/index.ts";
import { Pace } from "../pace.ts";

/** The user of a VM, see the image's /etc/passwd: to it belongs all that is shared. */
const VM_OWNER = { uid: 1000, gid: 1000 } as const;
/** S_IFMT and what it can be, see stat(2). FIFOs are devices that nobody can open, as in host folders. */
const FORMAT = 0o170000;
const kinds: ReadonlyMap<number, FileKind> = new Map([
  [0o100000, "file"],
  [0o040000, "directory"],
  [0o120000, "symlink"],
  [0o140000, "socket"],
]);
const STAT =
  /^([0-9a-f]{1,8}) (\d{1,16}) (\d{1,9}) (\d{1,20}) (\d{1,15}) (-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)$/;
const FACTS = /^((?:\S+ ){7}\S+) /;
/** More than eight numbers take. */
const FACTS_LENGTH = 200;
/** Somewhat more than a workspace may hold, and than fits into an answer. */
const NAMES_LIMIT = 250_000;

/** EIO for what is none. */
export function parseStat(words: string): Stat {
  const match = STAT.exec(words);
  if (match === null) throw new KernelError("EIO");
  const [, mode = "", size, nlink, ino = "0", blocks, atime, mtime, ctime] = match;
  const bits = Number.parseInt(mode, 16);
  return {
    kind: kindOf(bits),
    mode: bits & 0o7777,
    ...VM_OWNER,
    size: Number(size),
    nlink: Number(nlink),
    ino: inoOf(ino),
    dev: 0,
    rdev: 0,
    blocks: Number(blocks),
    atimeMs: msOf(atime),
    mtimeMs: msOf(mtime),
    ctimeMs: msOf(ctime),
  };
}

/** Names, and what stat said of them; a name that stat did not find is left out. */
export async function parseList(words: string): Promise<ReadonlyMap<string, Stat>> {
  const [names = "", facts = ""] = words.split(" ").map((word) => decodeBase64(word));
  return await parseFacts(names, facts);
}

/**
 * Paths that end with a NUL and begin with `./`, and a line for each of what stat said and the path. By path.
 * The server does other things between parts of it. EOVERFLOW for more than anybody has.
 */
export async function parseFacts(names: string, facts: string): Promise<Map<string, Stat>> {
  const found = new Map<string, Stat>();
  const pace = new Pace();
  let at = 0;
  const paths = names.split("\0", NAMES_LIMIT + 2);
  if (paths.length > NAMES_LIMIT + 1) throw new KernelError("EOVERFLOW");
  for (const path of paths.slice(0, -1)) {
    if (pace.isDue()) await pace.rest();
    const match = FACTS.exec(facts.slice(at, at + FACTS_LENGTH));
    if (match === null || !facts.startsWith(`${path}\n`, at + match[0].length)) continue;
    at += match[0].length + path.length + 1;
    const name = decodeText(Buffer.from(path.slice(2), "latin1"));
    found.set(name, parseStat(match[1] ?? ""));
  }
  return found;
}

/** A word of the script's: base64 with its end marked. As latin1, one character for each byte. */
export function decodeBase64(word: string): string {
  // What is behind the first mark is padding, or no base64. No pattern: it would take long for many of them.
  const end = word.indexOf("=");
  return Buffer.from(end === -1 ? word : word.slice(0, end), "base64").toString("latin1");
}

/** EIO unless these are numbers, `count` of them. */
export function parseNumbers(words: string, count: number): number[] {
  const numbers = words.split(" ").map(Number);
  if (numbers.length !== count || !numbers.every(Number.isSafeInteger))
    throw new KernelError("EIO");
  return numbers;
}

function kindOf(bits: number): FileKind {
  return kinds.get(bits & FORMAT) ?? "device";
}

function inoOf(digits: string): number {
  return Number(BigInt.asUintN(53, BigInt(digits)));
}

/** To the microsecond, what is finer cut off, as all times of a VM's mounts are. */
function msOf(seconds = "0"): number {
  const [whole = "0", fraction = ""] = seconds.split(".");
  const micros = Number(fraction.slice(0, 6).padEnd(6, "0"));
  return (Number(whole) * 1e6 + (whole.startsWith("-") ? -micros : micros)) / 1e3;
}
