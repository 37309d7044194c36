/** What `-e trace=` names: calls and classes of them. */
import { socketCallNames, syscallNames } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { quoteName } from "../program.ts";

const classes: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "file",
    "open truncate mkdir rmdir unlink rename link symlink readlink mknod stat lstat access statfs chmod chown lchown utimes chdir getcwd mount umount inotifyAddWatch spawn exec".split(
      " ",
    ),
  ],
  ["process", "spawn clone exec exit wait kill".split(" ")],
  ["network", socketCallNames],
  [
    "desc",
    "open close read readThrough write pread pwrite seek ftruncate fsync fstat fchmod fchown readdir fchdir dup dup2 pipe fcntl flock setlk getlk poll ioctl".split(
      " ",
    ),
  ],
  ["signal", "kill sigaction sigtimedwait sigprocmask sigpending".split(" ")],
]);
const known: ReadonlySet<string> = new Set(syscallNames);
/** Linux's names for calls that have another here. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["openat", "open"],
  ["execve", "exec"],
  ["fork", "clone"],
  ["vfork", "spawn"],
  ["wait4", "wait"],
  ["waitid", "wait"],
  ["exit_group", "exit"],
  ["lseek", "seek"],
  ["pipe2", "pipe"],
  ["net", "network"],
]);

/** The calls an expression names; undefined for all. Fails with a UsageError that names what is unknown. */
export function parseCalls(expression: string | undefined): string[] | undefined {
  if (expression === undefined) return undefined;
  const [, kind = "trace", text = ""] = /^(?:([a-z]+)=)?(.*)$/s.exec(expression) ?? [];
  if (kind !== "trace" && kind !== "t")
    throw new UsageError(`invalid -e argument: ${quoteName(expression)}: only trace= is supported`);
  const isInverted = text.startsWith("!");
  const list = (isInverted ? text.slice(1) : text).split(",");
  if (list.includes("all")) return isInverted ? [] : undefined;
  const named = new Set(list.flatMap((word) => (word === "none" ? [] : callsOf(word))));
  return isInverted ? syscallNames.filter((name) => !named.has(name)) : [...named];
}

function callsOf(word: string): readonly string[] {
  const name = aliases.get(word.replace(/^%/, "")) ?? word.replace(/^%/, "");
  const found = classes.get(name) ?? (known.has(name) ? [name] : undefined);
  if (found === undefined) throw new UsageError(`invalid system call ${quoteName(word)}`);
  return found;
}
