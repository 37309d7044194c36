import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
} from "../../../kernel/index.ts";
import { LineBlocks } from "../line-blocks.ts";
import { UsageError } from "../options.ts";
import { errorWords, type Run } from "../program.ts";
import type { Plan } from "./plan.ts";

const NEWLINE = 10;

export interface Item {
  readonly text: string;
  readonly line: number;
}

/** Items as they come: a command starts as soon as it is full. */
export async function* readItems(run: Run, { mark, end: last }: Plan): AsyncGenerator<Item> {
  const delimiter = readDelimiter(run);
  const name = run.options.get("arg-file");
  const fd = name === undefined ? 0 : await openItems(run, name);
  const end = delimiter ?? NEWLINE;
  const blocks = new LineBlocks(run.sys, fd, end);
  let number = 0;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    const lines = decodeText(block).split(String.fromCharCode(end));
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) {
      const found = [...itemsOf(line, number, delimiter !== undefined, mark !== undefined)];
      const at = delimiter === undefined ? found.findIndex(({ text }) => text === last) : -1;
      yield* at === -1 ? found : found.slice(0, at);
      if (at !== -1) return;
      const isContinued = delimiter === undefined && found.length > 0 && /[ \t]$/.test(line);
      if (!isContinued) number += 1;
    }
  }
  if (name !== undefined) await run.sys.close(fd);
}

function* itemsOf(
  line: string,
  number: number,
  isWhole: boolean,
  isLine: boolean,
): Generator<Item> {
  if (isWhole) {
    yield { text: line, line: number };
  } else if (isLine) {
    const text = unquote(line.trimStart());
    if (text !== "") yield { text, line: number };
  } else {
    for (const match of line.matchAll(/(?:\\.|"[^"]*"|'[^']*'|[^\s"'\\])+|["']/g))
      yield { text: unquote(match[0]), line: number };
  }
}

/** The byte that ends an item; undefined where blanks and quotes count. Fails with a UsageError. */
function readDelimiter({ options }: Run): number | undefined {
  if (options.last("null", "delimiter") === "null") return 0;
  const text = options.get("delimiter");
  if (text === undefined) return undefined;
  const bytes = encodeText(text);
  if (bytes.length <= 1) return bytes[0] ?? 0;
  if (!text.startsWith("\\"))
    refuse(
      `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
    );
  const named = "abfnrtv\\".indexOf(text.slice(1));
  if (named !== -1 && text.length === 2) return [7, 8, 12, 10, 13, 9, 11, 92][named];
  const digits = /^\\(?:x([\da-fA-F]+)|([0-7]+))$/.exec(text);
  if (digits === null)
    return refuse(`Invalid escape sequence ${text} in input delimiter specification.`);
  const value = Number.parseInt(digits[1] ?? digits[2] ?? "", digits[1] === undefined ? 8 : 16);
  if (value <= 255) return value;
  return refuse(
    `Invalid escape sequence ${text} in input delimiter specification; character values must not exceed ${digits[1] === undefined ? "377" : "ff"}.`,
  );
}

function refuse(message: string): never {
  throw new UsageError(message, { hasHint: false });
}

function unquote(text: string): string {
  if (/^["']$/.test(text)) {
    throw new UsageError(
      `unmatched ${text === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`,
      { hasHint: false },
    );
  }
  return text.replace(
    /\\(.)|"([^"]*)"|'([^']*)'/gs,
    (_, escaped?: string, double?: string, single?: string) => escaped ?? double ?? single ?? "",
  );
}

async function openItems(run: Run, name: string): Promise<number> {
  try {
    return await run.sys.open(name, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`Cannot open input file '${name}': ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}
