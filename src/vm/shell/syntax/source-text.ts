import { SyntaxFailure } from "./syntax-failure.ts";

/** What aliases may add to one line of commands; a guest's aliases that double each other stop here. */
const ALIAS_LIMIT = 1_000_000;
/** How many aliases one line of commands may use. */
const SPLICE_LIMIT = 2048;
/** Characters that joining lines inside of tokens may move; beyond it such tokens stay apart. */
const MOVE_LIMIT = 1_000_000_000;
/** Longer stretches without a blank are no names and no operators. */
const NEAR_LENGTH = 4096;

interface Splice {
  readonly name: string;
  readonly start: number;
  end: number;
  /** Its value ends in a blank: the next word may be an alias, too. */
  readonly expandsNext: boolean;
}

/**
 * The text a parser reads. A line that is joined to the one before in the middle of a token is put
 * right behind it. An alias is spliced in where its name stood: the text changes, the lines
 * stay those of the source, and a name is not replaced again inside its own replacement.
 */
export class SourceText {
  text: string;
  #splices: Splice[] = [];
  #added = 0;
  /** Where joined lines begin, behind the place that is settled. */
  #joins: number[] = [];
  #moved = 0;
  /** The first joined line from a place on. */
  #search = { text: "", from: 0, found: -1 };
  /** How many characters joins have taken away. */
  removed = 0;
  #position = 0;
  #line: number;
  /** Nobody asks for places before this one any more. */
  #settled = 0;
  #settledLine: number;

  constructor(text: string, firstLine = 1) {
    this.text = text;
    this.#line = firstLine;
    this.#settledLine = firstLine;
  }

  /** Forgets what is behind `position`. */
  settle(position: number): void {
    this.#settledLine = this.lineAt(position);
    this.#settled = this.text.lastIndexOf("\n", position - 1) + 1;
    this.#position = this.#settled;
    this.#line = this.#settledLine;
    this.#joins = this.#joins.filter((at) => at > position);
    this.#splices = this.#splices.filter(({ end }) => end > position);
    if (this.#splices.length === 0) this.#added = 0;
  }

  /** Cheapest where places are asked for in rising order. */
  lineAt(position: number): number {
    if (position < this.#position) {
      this.#position = this.#settled;
      this.#line = this.#settledLine;
    }
    for (;;) {
      const next = this.text.indexOf("\n", this.#position);
      if (next === -1 || next >= position) return this.#line + this.#joinsUpTo(position);
      this.#position = next + 1;
      if (!this.isSpliced(next)) this.#line += 1;
    }
  }

  #joinsUpTo(position: number): number {
    if (this.#joins.length === 0) return 0;
    return this.#joins.filter((at) => at <= position).length;
  }

  /** Whether a line is joined to another near a place: there is something to look for. */
  hasJoinNear(at: number): boolean {
    const { text } = this;
    if (this.#search.text !== text || at < this.#search.from || at > this.#search.found) {
      const found = text.indexOf("\\\n", at);
      this.#search = { text, from: at, found: found === -1 ? Number.POSITIVE_INFINITY : found };
    }
    return this.#search.found - at <= NEAR_LENGTH;
  }

  /** Takes out the backslash and newline at a place, and those right behind it; false where there are none. */
  join(at: number): boolean {
    if (!this.text.startsWith("\\\n", at) || this.#moved > MOVE_LIMIT) return false;
    let end = at;
    for (; this.text.startsWith("\\\n", end); end += 2) this.#joins.push(at);
    const length = end - at;
    this.text = this.text.slice(0, at) + this.text.slice(end);
    this.#moved += this.text.length;
    this.removed += length;
    for (const splice of this.#splices) if (splice.end > at) splice.end -= length;
    if (this.#position > at) {
      this.#position = this.#settled;
      this.#line = this.#settledLine;
    }
    return true;
  }

  /** The line behind the last, where an end of file is. */
  get lastLine(): number {
    return this.lineAt(this.text.length) + (this.text.endsWith("\n") ? 0 : 1);
  }

  /** The source line a place is on. */
  lineTextAt(position: number): string {
    const start = this.text.lastIndexOf("\n", position - 1) + 1;
    const end = this.text.indexOf("\n", start);
    return this.text.slice(start, end === -1 ? undefined : end);
  }

  /** Whether `start` lies in the replacement of that very name. */
  isExpanding(name: string, start: number): boolean {
    return this.#splices.some(
      (splice) => splice.name === name && splice.start <= start && start < splice.end,
    );
  }

  /** Whether the word at `start` follows an alias that ends in a blank: the outermost of those that end there. */
  expandsNext(start: number): boolean {
    let last: Splice | undefined;
    for (const splice of this.#splices) {
      if (splice.end <= start && splice.end > (last?.end ?? -1)) last = splice;
    }
    if (last?.expandsNext !== true) return false;
    return /^(?:[ \t]|\\\n)*$/.test(this.text.slice(last.end, start));
  }

  /** Puts an alias's value where its name stands. */
  splice(name: string, start: number, end: number, value: string): void {
    this.#added += value.length + 1;
    if (this.#added > ALIAS_LIMIT || this.#splices.length >= SPLICE_LIMIT)
      throw new SyntaxFailure({
        message: `${name}: alias expansion is too long`,
        line: this.lineAt(start),
        isIncomplete: false,
      });
    const growth = value.length - (end - start);
    for (const splice of this.#splices) if (splice.end >= end) splice.end += growth;
    this.#splices.push({
      name,
      start,
      end: start + value.length,
      expandsNext: /[ \t\n]$/.test(value),
    });
    this.#joins = this.#joins.map((at) => (at >= end ? at + growth : at));
    this.text = this.text.slice(0, start) + value + this.text.slice(end);
    if (this.#position > start) this.#position = start;
  }

  /** Whether a place lies in an alias's value: here-documents do not begin behind such a line. */
  isSpliced(position: number): boolean {
    return this.#splices.some(({ start, end }) => start <= position && position < end);
  }
}
