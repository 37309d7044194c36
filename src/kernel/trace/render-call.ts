/** A call's arguments and result as strace writes them. */
import {
  O_ACCMODE,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_TRUNC,
} from "../abi/open-flags.ts";
import { findSignalName } from "../abi/signals.ts";
import { encodeText } from "../abi/text.ts";

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

interface Rendered {
  readonly args: readonly string[];
  readonly result: string;
}

/** `isDone`: the call has a result; else what it would have filled is not shown. */
export function renderCall(
  call: Call,
  result: unknown,
  isDone: boolean,
  shownBytes: number,
): Rendered {
  const shape = shapes.get(call.name);
  const view = { args: call.args, result, isDone, shownBytes };
  if (shape !== undefined) return shape(view);
  return {
    args: call.args.filter((arg) => typeof arg !== "function").map((arg) => show(arg, shownBytes)),
    result: showResult(result, shownBytes),
  };
}

interface View {
  readonly args: readonly unknown[];
  readonly result: unknown;
  readonly isDone: boolean;
  readonly shownBytes: number;
}

/** Calls whose arguments mean more than their numbers say, or that answer in an argument on Linux. */
const shapes: ReadonlyMap<string, (view: View) => Rendered> = new Map([
  ["open", renderOpen],
  ["read", renderRead],
  ["pread", renderRead],
  ["recvfrom", renderRead],
  ["readThrough", renderRead],
  ["write", renderWrite],
  ["pwrite", renderWrite],
  ["pipe", renderPipe],
  ["socketpair", renderPair],
  ["spawn", renderSpawn],
  ["exec", renderSpawn],
  ["clone", renderClone],
  ["wait", renderWait],
  ["kill", renderSignal],
  ["sigaction", renderSignal],
  ["mkdir", renderMode],
  ["chmod", renderMode],
  ["fchmod", renderMode],
  ["umask", renderMode],
  ["stat", renderStat],
  ["lstat", renderStat],
  ["fstat", renderStat],
]);

const flagNames: readonly (readonly [number, string])[] = [
  [O_CREAT, "O_CREAT"],
  [O_EXCL, "O_EXCL"],
  [O_NOCTTY, "O_NOCTTY"],
  [O_TRUNC, "O_TRUNC"],
  [O_APPEND, "O_APPEND"],
  [O_NONBLOCK, "O_NONBLOCK"],
  [O_DIRECTORY, "O_DIRECTORY"],
  [O_NOFOLLOW, "O_NOFOLLOW"],
  [O_CLOEXEC, "O_CLOEXEC"],
];

function renderOpen({ args: [path, flags, mode], result }: View): Rendered {
  const bits = Number(flags);
  const access = ["O_RDONLY", "O_WRONLY", "O_RDWR"][bits & O_ACCMODE] ?? "O_ACCMODE";
  const set = flagNames.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name);
  const made = (bits & O_CREAT) === 0 ? [] : [octal(Number(mode ?? 0o666))];
  return {
    args: [showPath(path), [access, ...set].join("|"), ...made],
    result: showResult(result, 0),
  };
}

function renderRead({ args: [fd, into, ...more], result, isDone, shownBytes }: View): Rendered {
  const bytes = into instanceof Uint8Array ? into : new Uint8Array(0);
  const count = typeof result === "number" ? result : 0;
  const data = isDone ? showBytes(bytes.subarray(0, count), shownBytes) : `[${bytes.length} bytes]`;
  return {
    args: [String(fd), data, String(bytes.length), ...more.map((one) => show(one, shownBytes))],
    result: showResult(result, shownBytes),
  };
}

function renderWrite({ args: [fd, from, ...more], result, shownBytes }: View): Rendered {
  const bytes = from instanceof Uint8Array ? from : new Uint8Array(0);
  const rest = more.map((one) => show(one, shownBytes));
  return {
    args: [String(fd), showBytes(bytes, shownBytes), String(bytes.length), ...rest],
    result: showResult(result, shownBytes),
  };
}

function renderPair({ args, result, shownBytes }: View): Rendered {
  const fds = Array.isArray(result) ? `[${result.join(", ")}]` : "[]";
  return { args: [...args.map((one) => show(one, shownBytes)), fds], result: "0" };
}

function renderPipe({ args: [flags], result }: View): Rendered {
  const fds = Array.isArray(result) ? `[${result.join(", ")}]` : "[]";
  const set = flagNames.filter(([bit]) => (Number(flags ?? 0) & bit) !== 0).map(([, name]) => name);
  return { args: [fds, ...(set.length === 0 ? [] : [set.join("|")])], result: "0" };
}

function renderSpawn({ args: [options], result, shownBytes }: View): Rendered {
  const { path, argv, env, fds, ...rest } = fieldsOf(options);
  const words = Array.isArray(argv) ? argv.map((word) => quote(String(word))) : [];
  const more = new Map<string, unknown>(Object.entries(rest));
  if (Array.isArray(fds) && fds.length > 0) more.set("fds", new Unquoted(showFds(fds)));
  const vars = env instanceof Map ? [showMap(env)] : [];
  const shown = more.size === 0 ? [] : [show(Object.fromEntries(more), shownBytes)];
  return {
    args: [showPath(path), `[${words.join(", ")}]`, ...vars, ...shown],
    result: showResult(result, 0),
  };
}

/** Each as a shell would redirect it. */
function showFds(actions: readonly unknown[]): string {
  const shown = actions.map((action) => {
    const { fd, from } = fieldsOf(action);
    return typeof from === "number" ? `${String(fd)}>&${from}` : `${String(fd)}>&-`;
  });
  return `[${shown.join(", ")}]`;
}

function renderClone({ args: [, options], result, shownBytes }: View): Rendered {
  const { argv: _argv, env: _env, fds, ...rest } = fieldsOf(options);
  const shown: Record<string, unknown> = { ...rest };
  if (Array.isArray(fds) && fds.length > 0) shown["fds"] = new Unquoted(showFds(fds));
  const args = Object.keys(shown).length === 0 ? [] : [show(shown, shownBytes)];
  return { args, result: showResult(result, 0) };
}

function renderWait({ args: [wish], result, isDone }: View): Rendered {
  const { pid, flags } = fieldsOf(wish);
  const waited = fieldsOf(result);
  const status = isDone && result !== undefined ? `[{${showStatus(waited["status"])}}]` : "[]";
  const answer = typeof waited["pid"] === "number" ? String(waited["pid"]) : "0";
  return {
    args: [String(Number(pid ?? -1)), status, showWaitFlags(Number(flags ?? 0))],
    result: answer,
  };
}

/** In the words of wait(2)'s macros, as strace has it. */
function showStatus(status: unknown): string {
  const { kind, code, signal } = fieldsOf(status);
  if (kind === "exited") return `WIFEXITED(s) && WEXITSTATUS(s) == ${String(code)}`;
  const name = findSignalName(Number(signal)) ?? String(signal);
  if (kind === "signaled") return `WIFSIGNALED(s) && WTERMSIG(s) == ${name}`;
  return kind === "stopped" ? `WIFSTOPPED(s) && WSTOPSIG(s) == ${name}` : "WIFCONTINUED(s)";
}

function showWaitFlags(flags: number): string {
  const names = ["WNOHANG", "WUNTRACED", "", "WCONTINUED"];
  const set = names.filter((name, at) => name !== "" && (flags & (1 << at)) !== 0);
  return set.length === 0 ? "0" : set.join("|");
}

function renderSignal({ args: [first, second, ...more], result, shownBytes }: View): Rendered {
  const name = (value: unknown): string =>
    typeof value === "number" ? (findSignalName(value) ?? String(value)) : show(value, shownBytes);
  // kill(pid, signal), sigaction(signal, disposition).
  const isKill = typeof second === "number";
  const args = isKill ? [String(first), name(second)] : [name(first), show(second, shownBytes)];
  return {
    args: [...args, ...more.map((one) => show(one, shownBytes))],
    result: showResult(result, shownBytes),
  };
}

function renderMode({ args, result }: View): Rendered {
  const shown = args
    .filter((arg) => arg !== undefined)
    .map((arg, at) =>
      typeof arg === "number" && (at > 0 || args.length === 1) ? octal(arg) : showPath(arg),
    );
  return { args: shown, result: typeof result === "number" ? octal(result) : "0" };
}

const kindBits: ReadonlyMap<unknown, string> = new Map([
  ["file", "S_IFREG"],
  ["directory", "S_IFDIR"],
  ["symlink", "S_IFLNK"],
  ["fifo", "S_IFIFO"],
  ["socket", "S_IFSOCK"],
  ["device", "S_IFCHR"],
]);

function renderStat({ args: [path], result, isDone }: View): Rendered {
  const { kind, mode, size } = fieldsOf(result);
  const bits = `${kindBits.get(kind) ?? String(kind)}|${octal(Number(mode) & 0o7777)}`;
  const stat = isDone ? [`{st_mode=${bits}, st_size=${String(size)}, ...}`] : [];
  return { args: [showPath(path), ...stat], result: "0" };
}

/** Text that is shown as it is. */
class Unquoted {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function showPath(path: unknown): string {
  if (typeof path === "string") return quote(path);
  if (typeof path === "number") return String(path);
  const { at, path: name } = fieldsOf(path);
  return `${String(at)}, ${quote(String(name))}`;
}

/** The environment is long, and may hold secrets: its size is enough. */
function showMap(map: ReadonlyMap<unknown, unknown>): string {
  return `/* ${map.size} vars */`;
}

function showResult(result: unknown, shownBytes: number): string {
  return result === undefined || typeof result === "boolean" ? "0" : show(result, shownBytes);
}

/** How many members of a list or object are shown. */
const SHOWN_MEMBERS = 32;

function show(value: unknown, shownBytes: number, depth = 0): string {
  if (typeof value === "string") return quote(value);
  if (value instanceof Unquoted) return value.text;
  if (value instanceof Map) return showMap(value);
  if (value instanceof Uint8Array) return showBytes(value, shownBytes);
  if (typeof value !== "object" || value === null) return String(value);
  if (depth > 2) return "...";
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN_MEMBERS).map((one) => show(one, shownBytes, depth + 1));
    return `[${[...shown, ...(value.length > SHOWN_MEMBERS ? ["..."] : [])].join(", ")}]`;
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const shown = entries
    .slice(0, SHOWN_MEMBERS)
    .map(([name, one]) => `${name}=${show(one, shownBytes, depth + 1)}`);
  return `{${shown.join(", ")}}`;
}

/** The fields of an object; none of anything else. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function octal(mode: number): string {
  return mode === 0 ? "0" : `0${mode.toString(8)}`;
}

/** A path or word, whole. */
function quote(text: string): string {
  return `"${escapeBytes(encodeText(text))}"`;
}

function showBytes(bytes: Uint8Array, shownBytes: number): string {
  const shown = `"${escapeBytes(bytes.subarray(0, shownBytes))}"`;
  return bytes.length > shownBytes ? `${shown}...` : shown;
}

const letters: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

/** As strace: octal, with all digits before another digit. */
function escapeBytes(bytes: Uint8Array): string {
  let text = "";
  for (const [at, byte] of bytes.entries()) {
    const letter = letters.get(byte);
    if (letter !== undefined) text += letter;
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else {
      const next = bytes[at + 1] ?? 0;
      const digits = next >= 0x30 && next <= 0x39 ? 3 : 1;
      text += `\\${byte.toString(8).padStart(digits, "0")}`;
    }
  }
  return text;
}
