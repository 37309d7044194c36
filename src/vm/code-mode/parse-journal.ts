/** Reads what evaluated code has left behind. The guest may write anything: what it costs to read has a limit. */
import { countValues, cutText, parseBoundedJson } from "../../toolkit-cli/index.ts";

export interface EvaluationError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** A tool's, or Node's. */
  readonly code?: string;
}

export interface Outcome {
  readonly status: "completed" | "error";
  readonly value?: unknown;
  /** What of the value JSON has no form for, and what was made of it. */
  readonly notes?: readonly string[];
  readonly error?: EvaluationError;
}

export interface JournalEntries {
  /** What the code gave to text(). */
  readonly texts: readonly string[];
  /** Undefined where the code has not ended by itself. */
  readonly outcome: Outcome | undefined;
}

/** Lines before the last that are looked at: more than the script writes. */
const LINES_LIMIT = 11_000;
/** The most of their text that is read: as much as text() takes, each character as `\\u0000`. */
const TEXTS_LIMIT_BYTES = 8 * 1024 * 1024;
/** The most values in one: reading more takes the server's thread, and memory, whatever their text is. */
const VALUES_LIMIT = 1_000_000;
/** An object and its text. */
const TEXT_VALUES = 2;
const NOTES_LIMIT = 20;
const NOTE_CHARACTERS = 1000;
/** An error's name, and its code. */
const WORD_CHARACTERS = 200;
/** Its message, and its stack. */
const ERROR_CHARACTERS = 64 * 1024;

const NEWLINE = 0x0a;

/** The last whole line is the outcome, those before it are texts. */
export function parseJournal(journal: Uint8Array): JournalEntries {
  const end = journal.lastIndexOf(NEWLINE);
  const start = end < 0 ? 0 : journal.subarray(0, end).lastIndexOf(NEWLINE) + 1;
  const texts = readTexts(journal.subarray(0, start));
  if (end < 0) return { texts, outcome: undefined };
  const last = journal.subarray(start, end);
  if (countValues(last, VALUES_LIMIT) > VALUES_LIMIT) return { texts, outcome: tooManyValues };
  const entry = parseLine(last);
  if (entry === undefined) return { texts, outcome: undefined };
  const text = textOf(entry);
  return text === undefined
    ? { texts, outcome: readOutcome(entry) }
    : { texts: [...texts, text], outcome: undefined };
}

const tooManyValues: Outcome = {
  status: "error",
  error: {
    name: "RangeError",
    message: `The value has more than ${VALUES_LIMIT} parts. Return less of it, or write it to a file.`,
  },
};

function readTexts(lines: Uint8Array): string[] {
  const texts: string[] = [];
  const read = lines.subarray(0, TEXTS_LIMIT_BYTES);
  let at = 0;
  for (let count = 0; count < LINES_LIMIT; count++) {
    const end = read.indexOf(NEWLINE, at);
    if (end < 0) break;
    const line = read.subarray(at, end);
    const entry = countValues(line, TEXT_VALUES) > TEXT_VALUES ? undefined : parseLine(line);
    const text = entry === undefined ? undefined : textOf(entry);
    if (text !== undefined) texts.push(text);
    at = end + 1;
  }
  return texts;
}

function textOf(entry: object): string | undefined {
  return "text" in entry && typeof entry.text === "string" ? entry.text : undefined;
}

function parseLine(line: Uint8Array): object | undefined {
  try {
    const value: unknown = parseBoundedJson(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // The guest's own.
    return undefined;
  }
}

function readOutcome(written: object): Outcome | undefined {
  const texts = "notes" in written && Array.isArray(written.notes) ? written.notes : [];
  const said = texts
    .filter((note): note is string => typeof note === "string")
    .slice(0, NOTES_LIMIT)
    .map((note) => cutText(note, NOTE_CHARACTERS));
  const notes = said.length === 0 ? {} : { notes: said };
  if (!("error" in written)) {
    return {
      status: "completed",
      ...("value" in written ? { value: written.value } : {}),
      ...notes,
    };
  }
  const { error } = written;
  return typeof error === "object" && error !== null
    ? { status: "error", error: readError(error), ...notes }
    : undefined;
}

function readError(error: object): EvaluationError {
  const text = (name: string, limit: number): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? cutText(value, limit) : undefined;
  };
  const stack = text("stack", ERROR_CHARACTERS);
  const code = text("code", WORD_CHARACTERS);
  return {
    name: text("name", WORD_CHARACTERS) ?? "Error",
    message: text("message", ERROR_CHARACTERS) ?? "",
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code }),
  };
}
