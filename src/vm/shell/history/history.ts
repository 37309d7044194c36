/** One remembered command. */
export interface HistoryEntry {
  readonly text: string;
  /** Seconds since 1970, where it is known. */
  readonly time: number | undefined;
}

/** However large HISTSIZE is, a shell remembers no more than this. */
const ENTRY_LIMIT = 100_000;
const TEXT_LIMIT = 64 * 1024 * 1024;

/**
 * The list of remembered commands. Each has a number that stays while older ones are dropped.
 * A subshell has a copy.
 */
export class History {
  #entries: HistoryEntry[] = [];
  #textLength = 0;
  #isShared = false;
  /** The number of the first entry. */
  base = 1;
  /** Entries made since the list was last saved, which `history -a` appends to the file. */
  newCount = 0;
  /** How many lines of the history file are known, for `history -n`. */
  fileLines = 0;
  /** The command that runs stands last in the list. */
  isLastAdded = false;
  /** The command at hand is in the list, its further lines join it. */
  isCommandKept = false;
  /** The list has been filled from its file. */
  isLoaded = false;
  /** What `:s` of history expansion last replaced. */
  lastSubstitution: { readonly from: string; readonly to: string } | undefined;
  /** What `!?…?` last looked for. */
  lastSearch = "";

  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The number the next entry gets. */
  get next(): number {
    return this.base + this.#entries.length;
  }

  get last(): HistoryEntry | undefined {
    return this.#entries.at(-1);
  }

  /** The entry of a number. */
  find(number: number): HistoryEntry | undefined {
    return this.#entries[number - this.base];
  }

  /** Adds at the end; the oldest go where there are more than `limit`. */
  add(text: string, time: number | undefined, limit: number): void {
    this.#own();
    this.#entries.push({ text, time });
    this.#textLength += text.length;
    this.base += this.#dropBeyond(limit);
  }

  replaceLast(text: string): void {
    const { last } = this;
    if (last === undefined) return;
    this.#own();
    this.#textLength += text.length - last.text.length;
    this.#entries[this.#entries.length - 1] = { text, time: last.time };
  }

  /** Takes entries away, by index. */
  remove(index: number, count = 1): void {
    this.#own();
    for (const { text } of this.#entries.splice(index, count)) this.#textLength -= text.length;
  }

  removeEqual(text: string): void {
    this.#entries = this.#entries.filter((entry) => entry.text !== text);
    this.#isShared = false;
    this.#textLength = this.#entries.reduce((sum, entry) => sum + entry.text.length, 0);
  }

  clear(): void {
    this.#entries = [];
    this.#isShared = false;
    this.#textLength = 0;
    this.base = 1;
    this.newCount = 0;
  }

  /** Drops the oldest entries beyond `limit`; the numbers then start at that many, as in bash. */
  stifle(limit: number): void {
    const drop = this.#dropBeyond(limit);
    if (drop > 0) this.base = drop;
  }

  #dropBeyond(limit: number): number {
    const most = Math.min(limit, ENTRY_LIMIT);
    let drop = Math.max(0, this.#entries.length - most);
    let length = this.#textLength;
    for (let at = 0; at < drop; at++) length -= this.#entries[at]?.text.length ?? 0;
    while (length > TEXT_LIMIT && drop < this.#entries.length) {
      length -= this.#entries[drop]?.text.length ?? 0;
      drop += 1;
    }
    if (drop === 0) return 0;
    this.#own();
    this.#entries.splice(0, drop);
    this.#textLength = length;
    return drop;
  }

  copy(): History {
    const copy = new History();
    copy.#entries = this.#entries;
    copy.#textLength = this.#textLength;
    copy.#isShared = true;
    this.#isShared = true;
    copy.base = this.base;
    copy.newCount = this.newCount;
    copy.fileLines = this.fileLines;
    copy.isLastAdded = this.isLastAdded;
    copy.isLoaded = this.isLoaded;
    return copy;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#entries = [...this.#entries];
    this.#isShared = false;
  }
}
