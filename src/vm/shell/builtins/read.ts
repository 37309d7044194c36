import { decodeText, errnoWords, isKernelError, POLLHUP, POLLIN } from "../../../kernel/index.ts";
import { runPendingTraps } from "../run/run-trap.ts";
import { assignScalar } from "../state/assign.ts";
import { readUntil } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { IndexedArray, isName } from "../state/variables.ts";
import { type Flags, readFlags } from "./builtin.ts";

const usage =
  "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";

/** Statuses over 128 tell a timeout, see bash(1). */
const TIMED_OUT = 142;
/** By Ctrl-C. */
const INTERRUPTED = 130;

export async function read(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "ersa:d:i:n:N:p:t:u:", usage);
  if (flags === undefined) return 2;
  const bad = flags.operands.find((name) => !isName(name) && !/^[A-Za-z_]\w*\[.*\]$/s.test(name));
  if (bad !== undefined) {
    await shell.complain(`read: \`${bad}': not a valid identifier`);
    return 1;
  }
  const fd = Number(flags.values.get("u") ?? "0");
  const prompt = flags.values.get("p");
  if (prompt !== undefined && (await isTerminal(shell, fd))) await shell.write(2, prompt);
  const timeout = flags.values.get("t");
  if (timeout !== undefined) {
    const isReady = await waitForInput(shell, fd, Number(timeout));
    if (Number(timeout) === 0) return isReady ? 0 : 1;
    if (!isReady) return TIMED_OUT;
  }
  shell.onSignal = () => runPendingTraps(shell);
  try {
    return await readInto(shell, flags, fd);
  } catch (error) {
    if (error instanceof ShellError && error.status === INTERRUPTED) await shell.write(2, "\n");
    if (!isKernelError(error)) throw error;
    await shell.complain(`read: read error: ${fd}: ${errnoWords(error.errno)}`);
    return 1;
  } finally {
    shell.onSignal = undefined;
  }
}

async function readInto(shell: Shell, flags: Flags, fd: number): Promise<number> {
  const exact = flags.values.get("N");
  const most = exact ?? flags.values.get("n");
  const isRaw = flags.on.has("r");
  const delimiter = exact === undefined ? delimiterByte(flags.values.get("d")) : undefined;
  const input = await readInput(shell, {
    fd,
    delimiter,
    isRaw,
    most: most === undefined ? undefined : Number(most),
  });
  const array = flags.values.get("a");
  const whole = exact !== undefined;
  if (array !== undefined) {
    const fields = splitFields(shell, input, Number.POSITIVE_INFINITY);
    shell.variables.ensure(array).value = new IndexedArray(
      fields.map((field, at): [number, string] => [at, field]),
    );
  } else if (flags.operands.length === 0) {
    assignScalar(shell, "REPLY", input.characters.map(({ text }) => text).join(""));
  } else {
    const fields = whole
      ? [input.characters.map(({ text }) => text).join("")]
      : splitFields(shell, input, flags.operands.length);
    for (const [at, name] of flags.operands.entries()) assignScalar(shell, name, fields[at] ?? "");
  }
  return input.isEnded ? 1 : 0;
}

function delimiterByte(text: string | undefined): number {
  if (text === undefined) return 10;
  return text === "" ? 0 : (text.codePointAt(0) ?? 10);
}

interface Input {
  readonly characters: readonly { readonly text: string; readonly isQuoted: boolean }[];
  /** Input ended before the delimiter. */
  readonly isEnded: boolean;
}

interface InputWish {
  readonly fd: number;
  readonly delimiter: number | undefined;
  readonly isRaw: boolean;
  readonly most: number | undefined;
}

async function readInput(shell: Shell, wish: InputWish): Promise<Input> {
  if (wish.most !== undefined || wish.delimiter === undefined) return readCounted(shell, wish);
  const characters: { text: string; isQuoted: boolean }[] = [];
  for (;;) {
    const line = await readUntil(shell, wish.fd, wish.delimiter);
    if (line === undefined) return { characters, isEnded: true };
    const isJoined = addCharacters(
      characters,
      decodeText(line.bytes.filter((byte) => byte !== 0)),
      wish.isRaw,
    );
    if (!line.isWhole) return { characters, isEnded: true };
    if (!isJoined) return { characters, isEnded: false };
    if (wish.delimiter !== 10)
      characters.push({ text: String.fromCodePoint(wish.delimiter), isQuoted: true });
  }
}

/** Resolves backslashes; answers whether the last one quotes the delimiter. */
function addCharacters(
  into: { text: string; isQuoted: boolean }[],
  line: string,
  isRaw: boolean,
): boolean {
  let isQuoted = false;
  for (const text of line) {
    if (!isRaw && !isQuoted && text === "\\") {
      isQuoted = true;
      continue;
    }
    into.push({ text, isQuoted });
    isQuoted = false;
  }
  return isQuoted;
}

async function readCounted(
  shell: Shell,
  { fd, delimiter, isRaw, most = 0 }: InputWish,
): Promise<Input> {
  const characters: { text: string; isQuoted: boolean }[] = [];
  let isQuoted = false;
  while (characters.length < most) {
    const text = await readCharacter(shell, fd);
    if (text === undefined) return { characters, isEnded: true };
    if (!isQuoted && delimiter !== undefined && text.codePointAt(0) === delimiter)
      return { characters, isEnded: false };
    if (!isRaw && !isQuoted && text === "\\") {
      isQuoted = true;
      continue;
    }
    if (!(isQuoted && text === "\n")) characters.push({ text, isQuoted });
    isQuoted = false;
  }
  return { characters, isEnded: false };
}

async function readCharacter(shell: Shell, fd: number): Promise<string | undefined> {
  const bytes = new Uint8Array(4);
  if ((await shell.retry(() => shell.sys.read(fd, bytes.subarray(0, 1)))) === 0) return undefined;
  const first = bytes[0] ?? 0;
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let have = 1;
  while (have < length) {
    const count = await shell.retry(() => shell.sys.read(fd, bytes.subarray(have, length)));
    if (count === 0) break;
    have += count;
  }
  return decodeText(bytes.subarray(0, have));
}

/** Splits at IFS into at most `most` fields; the last one takes the rest. */
function splitFields(shell: Shell, { characters }: Input, most: number): string[] {
  const ifs = shell.variables.get("IFS") ?? " \t\n";
  const isSpace = (at: number): boolean =>
    isSeparator(at) && " \t\n".includes(characters[at]?.text ?? "");
  const isSeparator = (at: number): boolean => {
    const character = characters[at];
    return character !== undefined && !character.isQuoted && ifs.includes(character.text);
  };
  let at = 0;
  let end = characters.length;
  while (isSpace(at)) at += 1;
  while (end > at && isSpace(end - 1)) end -= 1;
  const fields: string[] = [];
  while (at < end) {
    if (fields.length === most - 1) {
      fields.push(lastField(characters.slice(at, end), (place) => isSeparator(at + place)));
      return fields;
    }
    let field = "";
    while (at < end && !isSeparator(at)) field += characters[at++]?.text ?? "";
    fields.push(field);
    while (at < end && isSpace(at)) at += 1;
    if (at < end && isSeparator(at)) at += 1;
    else continue;
    while (at < end && isSpace(at)) at += 1;
  }
  return fields;
}

/** One separator at the very end of the last field goes, if it is the only one in it. */
function lastField(characters: Input["characters"], isSeparator: (at: number) => boolean): string {
  const last = characters.length - 1;
  const count = characters.filter((_, at) => isSeparator(at)).length;
  const kept = count === 1 && isSeparator(last) ? characters.slice(0, -1) : characters;
  return kept.map(({ text }) => text).join("");
}

async function waitForInput(shell: Shell, fd: number, seconds: number): Promise<boolean> {
  const [found = 0] = await shell.sys.poll([{ fd, events: POLLIN }], seconds * 1000);
  return (found & (POLLIN | POLLHUP)) !== 0;
}

async function isTerminal(shell: Shell, fd: number): Promise<boolean> {
  try {
    await shell.sys.ioctl(fd, { request: "TIOCGWINSZ" });
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
