/** Brace expansion: `a{b,c}d` and `{1..10..2}`, made on a word's parts before anything else. */
import { KernelError } from "../../../kernel/index.ts";
import type { WordPart } from "../syntax/ast.ts";

/** More words than any command line takes; a guest's `{1..1000000000}` stops here. */
const BRACE_LIMIT = 1_000_000;

/** A piece is one unquoted character, or a part that braces do not look into. */
type Piece = string | WordPart;

/** Pieces looked at and put together for one word. */
const WORK_LIMIT = 4_000_000;

/** Counts the work that one word takes. */
class Work {
  #left = WORK_LIMIT;

  spend(pieces: number): void {
    this.#left -= pieces;
    if (this.#left < 0) throw new KernelError("ENOMEM", "brace expansion", "too many braces");
  }
}

export function expandBraces(parts: readonly WordPart[]): WordPart[][] {
  const pieces = parts.flatMap((part): Piece[] =>
    part.kind === "literal" && !part.isQuoted ? [...part.text] : [part],
  );
  return expandPieces(pieces, new Work()).map(joinPieces);
}

function expandPieces(pieces: readonly Piece[], work: Work): Piece[][] {
  for (let open = pieces.indexOf("{"); open !== -1; open = pieces.indexOf("{", open + 1)) {
    const brace = readBrace(pieces, open, work);
    if (brace === undefined) continue;
    work.spend(pieces.length - brace.end);
    const before = pieces.slice(0, open);
    const after = expandPieces(pieces.slice(brace.end + 1), work);
    requireRoom(brace.choices.length * after.length);
    return brace.choices.flatMap((choice) =>
      after.map((rest) => {
        work.spend(before.length + choice.length + rest.length);
        return [...before, ...choice, ...rest];
      }),
    );
  }
  return [[...pieces]];
}

interface Brace {
  readonly end: number;
  readonly choices: readonly (readonly Piece[])[];
}

/** The brace that opens at `open`; undefined when it is plain text. */
function readBrace(pieces: readonly Piece[], open: number, work: Work): Brace | undefined {
  const items: Piece[][] = [[]];
  let depth = 0;
  for (let at = open + 1; at < pieces.length; at++) {
    const piece = pieces[at] ?? "";
    work.spend(1);
    if (piece === "{") depth += 1;
    if (piece === "}") {
      if (depth === 0) return closeBrace(items, at, work);
      depth -= 1;
    }
    if (piece === "," && depth === 0) items.push([]);
    else items.at(-1)?.push(piece);
  }
  return undefined;
}

function closeBrace(items: readonly Piece[][], end: number, work: Work): Brace | undefined {
  if (items.length > 1) return { end, choices: items.flatMap((item) => expandPieces(item, work)) };
  const choices = expandSequence(items[0] ?? []);
  return choices && { end, choices };
}

function expandSequence(pieces: readonly Piece[]): Piece[][] | undefined {
  if (!pieces.every((piece) => typeof piece === "string")) return undefined;
  const match = /^([-+]?\d+|[A-Za-z])\.\.([-+]?\d+|[A-Za-z])(?:\.\.([-+]?\d+))?$/.exec(
    pieces.join(""),
  );
  if (match === null) return undefined;
  const [, from = "", to = "", stepText = "1"] = match;
  const isNumeric = /\d$/.test(from) && /\d$/.test(to);
  if (!isNumeric && (/\d$/.test(from) || /\d$/.test(to))) return undefined;
  const first = isNumeric ? Number(from) : from.charCodeAt(0);
  const last = isNumeric ? Number(to) : to.charCodeAt(0);
  const step = Math.abs(Number(stepText)) || 1;
  requireRoom(Math.abs(last - first) / step);
  const width = isNumeric && [from, to].some(isPadded) ? Math.max(from.length, to.length) : 0;
  const made: Piece[][] = [];
  for (
    let value = first;
    first <= last ? value <= last : value >= last;
    value += first <= last ? step : -step
  ) {
    made.push([isNumeric ? pad(value, width) : character(value)]);
  }
  return made;
}

/** Between upper and lower case there is a backslash, which quotes nothing: an empty word. */
function character(code: number): Piece {
  return code === 92 ? { kind: "literal", text: "", isQuoted: true } : String.fromCharCode(code);
}

function isPadded(number: string): boolean {
  return /^[-+]?0\d/.test(number);
}

function pad(value: number, width: number): string {
  if (value >= 0) return String(value).padStart(width, "0");
  return `-${String(-value).padStart(width - 1, "0")}`;
}

function requireRoom(count: number): void {
  if (count > BRACE_LIMIT)
    throw new KernelError("ENOMEM", "brace expansion", `more than ${BRACE_LIMIT} words`);
}

function joinPieces(pieces: readonly Piece[]): WordPart[] {
  const parts: WordPart[] = [];
  let text = "";
  const flush = (): void => {
    const rest = extendName(parts, text);
    if (rest !== "") parts.push({ kind: "literal", text: rest, isQuoted: false });
    text = "";
  };
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    flush();
    parts.push(piece);
  }
  flush();
  return parts;
}

/** Braces come before names are read: in `$a{b,c}` the name is `ab`. Answers the text that is left. */
function extendName(parts: WordPart[], text: string): string {
  const last = parts.at(-1);
  if (last?.kind !== "parameter" || !/^\$[A-Za-z_]/.test(last.text)) return text;
  const more = /^\w+/.exec(text)?.[0];
  if (more === undefined) return text;
  const name = last.name + more;
  parts[parts.length - 1] = { ...last, name, text: `$${name}` };
  return text.slice(more.length);
}
