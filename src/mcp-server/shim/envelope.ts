// Who a JSON-RPC message is for: its id and its method, found without parsing what it carries, which
// may be megabytes. Runs on Node 20.
import { joinLine, type Line, type LongLine } from "../lines.ts";

export type Id = string | number;

/** A request has both, a notification a method, an answer an id. */
export interface Envelope {
  readonly id: Id | undefined;
  readonly method: string | undefined;
}

/** What one walk over the beginning of a message has found. */
interface Found extends Envelope {
  /** Whether there is nothing more to find: a walk that ended early has seen enough. */
  readonly isCertain: boolean;
  readonly isAnswer: boolean;
}

/** Every message but a few with large parameters is shorter, or shows its id in its ends. */
const endBytes = 4096;

/**
 * The envelope of a message; empty for what is no JSON object. A message that is broken further on may
 * have one: the server says what is wrong with it.
 */
export function readEnvelope(line: Line): Envelope {
  const head = walk(headOf(line));
  if (head.isCertain) return head;
  const { id, method = head.method } = readTail(tailOf(line));
  if (id !== undefined && (method !== undefined || head.isAnswer)) return { id, method };
  return walk(joinLine(line));
}

/**
 * The id of a request that is too long to be read, as far as its two ends show it: null when they do
 * not. Undefined for an answer, which gets none itself.
 */
export function requestIdOfLongLine({ head, tail }: LongLine): Id | null | undefined {
  const { id, isAnswer } = walk(head);
  return isAnswer ? undefined : (id ?? readTail(tail).id ?? null);
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const plain = String.raw`"(?:jsonrpc|method)"\s*:\s*${text}`;
/**
 * The last members of an object that ends the message: in valid JSON, no others than the message's own.
 * Only those that cannot hold an id of something else may come after the id.
 */
const tailPattern = new RegExp(
  String.raw`,\s*"id"\s*:\s*(-?\d+|${text})\s*((?:,\s*${plain}\s*)*)\}\s*$`,
);
const methodPattern = new RegExp(String.raw`"method"\s*:\s*(${text})`);

function readTail(bytes: Buffer): Envelope {
  const found = tailPattern.exec(bytes.toString("utf8"));
  const [id, method] = [found?.[1], methodPattern.exec(found?.[2] ?? "")?.[1]].map(parseScalar);
  return {
    id: isId(id) ? id : undefined,
    method: typeof method === "string" ? method : undefined,
  };
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Goes over the members of the object that the bytes begin with, until all is known or the bytes end. */
function walk(bytes: Buffer): Found {
  let id: Id | undefined;
  let method: string | undefined;
  let isAnswer = false;
  const found = (isCertain: boolean): Found => ({ id, method, isCertain, isAnswer });
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== openBrace) return found(true);
  do {
    const keyStart = skipSpace(bytes, at + 1);
    if (bytes[keyStart] !== quote) return found(keyStart < bytes.length);
    const keyEnd = endOfString(bytes, keyStart);
    const key = keyOf(bytes.toString("latin1", keyStart, keyEnd));
    const start = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    isAnswer ||= key === "result" || key === "error";
    if (isAnswer && id !== undefined) return found(true);
    const end = endOfValue(bytes, start);
    if (end >= bytes.length) return found(false);
    if (key === "id" || key === "method") {
      const value = parseScalar(bytes.toString("utf8", start, end));
      if (key === "id" && isId(value)) id = value;
      if (key === "method" && typeof value === "string") method = value;
    }
    if (id !== undefined && method !== undefined) return found(true);
    at = skipSpace(bytes, end);
  } while (bytes[at] === comma);
  return found(at < bytes.length);
}

/** The names that matter here are ASCII. */
function keyOf(quoted: string): unknown {
  return quoted.includes("\\") ? parseScalar(quoted) : quoted.slice(1, -1);
}

/** The first byte from there on that is no white space of JSON. */
function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Where the value that begins there is over; the end of the bytes when that is not in them. */
function endOfValue(bytes: Buffer, start: number): number {
  if (bytes[start] === quote) return endOfString(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
  }
  return bytes.length;
}

/** Behind the quote that closes a string; the end of the bytes when that is not in them. */
function endOfString(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(quote, start + 1);
  while (at !== -1 && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1);
  return at === -1 ? bytes.length : at + 1;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

/** Undefined for what is no JSON. */
function parseScalar(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

function headOf([first = Buffer.alloc(0)]: Line): Buffer {
  return first.subarray(0, endBytes);
}

function tailOf(line: Line): Buffer {
  const parts: Buffer[] = [];
  let missing = endBytes;
  for (const part of line.toReversed()) {
    if (missing <= 0) break;
    parts.unshift(part.subarray(-missing));
    missing -= part.length;
  }
  return joinLine(parts);
}
