import { compareBytes } from "../compare-bytes.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Run } from "../program.ts";
import type { JoinInput, JoinLine } from "./join-input.ts";
import type { JoinSettings } from "./settings.ts";

/** What holding a line costs beside its bytes. */
const LINE_BYTES = 256;

/** Walks both files side by side and writes what goes together. */
export class Joining {
  readonly #run: Run;
  readonly #settings: JoinSettings;
  readonly #left: JoinInput;
  readonly #right: JoinInput;
  readonly #separator: number;
  #first: JoinLine | undefined;
  #second: JoinLine | undefined;
  /** Fields of the first lines, for `-o auto`. */
  #counts: readonly [number, number] = [0, 0];

  constructor(run: Run, settings: JoinSettings, left: JoinInput, right: JoinInput) {
    this.#run = run;
    this.#settings = settings;
    this.#left = left;
    this.#right = right;
    this.#separator = settings.tab === undefined ? 32 : settings.tab === "line" ? 10 : settings.tab;
  }

  async join(): Promise<void> {
    this.#first = await this.#left.next();
    this.#second = await this.#right.next();
    this.#counts = [this.#first?.fields.length ?? 0, this.#second?.fields.length ?? 0];
    if (this.#settings.hasHeader && (this.#first ?? this.#second) !== undefined)
      await this.#joinHeaders();
    while (this.#first !== undefined && this.#second !== undefined)
      await this.#step(this.#first, this.#second);
    await this.#finish(this.#left, this.#first, 0, this.#second !== undefined);
    await this.#finish(this.#right, this.#second, 1, this.#first !== undefined);
    if (this.#left.isWarned || this.#right.isWarned)
      await this.#run.fail("input is not in sorted order");
  }

  async #joinHeaders(): Promise<void> {
    this.#write(this.#first, this.#second);
    this.#left.forgetPrevious();
    this.#right.forgetPrevious();
    if (this.#first !== undefined) this.#first = await this.#left.next();
    if (this.#second !== undefined) this.#second = await this.#right.next();
  }

  async #step(first: JoinLine, second: JoinLine): Promise<void> {
    if (this.#run.out.isFull) await this.#run.out.flush();
    const order = compareBytes(first.key, second.key);
    if (order === 0) {
      await this.#pair(first, second);
      return;
    }
    if (order < 0) {
      if (this.#settings.showsUnpaired[0]) this.#write(first, undefined);
      this.#first = await this.#left.next();
    } else {
      if (this.#settings.showsUnpaired[1]) this.#write(undefined, second);
      this.#second = await this.#right.next();
    }
    this.#noteUnpaired();
  }

  #noteUnpaired(): void {
    this.#left.isChecking = true;
    this.#right.isChecking = true;
  }

  /** All lines of a key on one side with all on the other. */
  async #pair(first: JoinLine, second: JoinLine): Promise<void> {
    const lefts: JoinLine[] = [first];
    const rights: JoinLine[] = [second];
    this.#first = await this.#gather(this.#left, lefts, second.key);
    this.#second = await this.#gather(this.#right, rights, first.key);
    if (!this.#settings.showsPaired) return;
    for (const left of lefts) {
      for (const right of rights) {
        this.#write(left, right);
        if (this.#run.out.isFull) await this.#run.out.flush();
      }
    }
  }

  /** Reads on while the key is this one; the line behind them. */
  async #gather(
    input: JoinInput,
    lines: JoinLine[],
    key: Uint8Array,
  ): Promise<JoinLine | undefined> {
    let size = 0;
    for (let line = await input.next(); line !== undefined; line = await input.next()) {
      if (compareBytes(line.key, key) !== 0) return line;
      size += line.bytes.length + LINE_BYTES;
      if (size > MEMORY_LIMIT) throw new MemoryLimitError();
      lines.push(line);
    }
    return undefined;
  }

  /** The rest of a file has no partners; it is read to see whether it is sorted. */
  async #finish(
    input: JoinInput,
    current: JoinLine | undefined,
    place: 0 | 1,
    hasOther: boolean,
  ): Promise<void> {
    const isShown = this.#settings.showsUnpaired[place];
    if (current === undefined || (!isShown && this.#settings.check === "none")) return;
    if (hasOther) this.#noteUnpaired();
    for (let line: JoinLine | undefined = current; line !== undefined; line = await input.next()) {
      if (isShown) this.#write(place === 0 ? line : undefined, place === 1 ? line : undefined);
      else if (input.isWarned) return;
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
  }

  #write(left: JoinLine | undefined, right: JoinLine | undefined): void {
    const { list, fields } = this.#settings;
    const key = left === undefined ? right?.fields[fields[1]] : left.fields[fields[0]];
    const { out } = this.#run;
    if (list === undefined) {
      this.#field(key);
      this.#others(left, 0);
      this.#others(right, 1);
    } else {
      for (const [at, { file, field }] of list.entries()) {
        if (at > 0) out.addByte(this.#separator);
        this.#field(file === 0 ? key : (file === 1 ? left : right)?.fields[field]);
      }
    }
    out.addByte(this.#settings.end);
  }

  #others(line: JoinLine | undefined, place: 0 | 1): void {
    const count = this.#settings.isAuto ? this.#counts[place] : (line?.fields.length ?? 0);
    for (let field = 0; field < count; field++) {
      if (field === this.#settings.fields[place]) continue;
      this.#run.out.addByte(this.#separator);
      this.#field(line?.fields[field]);
    }
  }

  #field(bytes: Uint8Array | undefined): void {
    const isEmpty = bytes === undefined || bytes.length === 0;
    this.#run.out.add(isEmpty ? this.#settings.filler : bytes);
  }
}
