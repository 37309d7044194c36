/** Brace expansion: `a{b,c}d` and `{1..10..2}`, made on a word's parts before anything else. */
import { KernelError } from "../../../kernel/index.ts";
import type { WordPart } from "../syntax/ast.ts";

/** More words than any command line takes; a guest's `{1..1000000000}` stops here. */
const BRACE_LIMIT = 1_000_000;

/** A piece is one unquoted character, or a part that braces do not look into. */
type Piece = string | WordPart;

export function expandBraces(parts: readonly WordPart[]): WordPart[][] {
  const pieces = parts.flatMap((part): Piece[] =>
    part.kind === "literal" && !part.isQuoted ? [...part.text] : [part],
  );
  return expandPieces(pieces).map(joinPieces);
}

function expandPieces(pieces: readonly Piece[]): Piece[][] {
  for (let open = pieces.indexOf("{"); open !== -1; open = pieces.indexOf("{", open + 1)) {
    const brace = readBrace(pieces, open);
    if (brace === undefined) continue;
    const before = pieces.slice(0, open);
    const after = expandPieces(pieces.slice(brace.end + 1));
    requireRoom(brace.choices.length * after.length);
    return brace.choices.flatMap((choice) => after.map((rest) => [...before, ...choice, ...rest]));
  }
  return [[...pieces]];
}

interface Brace {
  readonly end: number;
  readonly choices: readonly (readonly Piece[])[];
}

/** The brace that opens at `open`; undefined when it is plain text. */
function readBrace(pieces: readonly Piece[], open: number): Brace | undefined {
  const items: Piece[][] = [[]];
  let depth = 0;
  for (let at = open + 1; at < pieces.length; at++) {
    const piece = pieces[at] ?? "";
    if (piece === "{") depth += 1;
    if (piece === "}") {
      if (depth === 0) return closeBrace(items, at);
      depth -= 1;
    }
    if (piece === "," && depth === 0) items.push([]);
    else items.at(-1)?.push(piece);
  }
  return undefined;
}

function closeBrace(items: readonly Piece[][], end: number): Brace | undefined {
  if (items.length > 1) return { end, choices: items.flatMap((item) => expandPieces(item)) };
  const choices = expandSequence(items[0] ?? []);
  return choices && { end, choices };
}

function expandSequence(pieces: readonly Piece[]): string[][] | undefined {
  if (!pieces.every((piece) => typeof piece === "string")) return undefined;
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(pieces.join(""));
  if (match === null) return undefined;
  const [, from = "", to = "", stepText = "1"] = match;
  const isNumeric = /\d$/.test(from) && /\d$/.test(to);
  if (!isNumeric && (/\d$/.test(from) || /\d$/.test(to))) return undefined;
  const first = isNumeric ? Number(from) : from.charCodeAt(0);
  const last = isNumeric ? Number(to) : to.charCodeAt(0);
  const step = Math.abs(Number(stepText)) || 1;
  requireRoom(Math.abs(last - first) / step);
  const width = isNumeric && [from, to].some(isPadded) ? Math.max(from.length, to.length) : 0;
  const made: string[][] = [];
  for (
    let value = first;
    first <= last ? value <= last : value >= last;
    value += first <= last ? step : -step
  ) {
    made.push([isNumeric ? pad(value, width) : String.fromCharCode(value)]);
  }
  return made;
}

function isPadded(number: string): boolean {
  return /^-?0\d/.test(number);
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
    if (text !== "") parts.push({ kind: "literal", text, isQuoted: false });
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
