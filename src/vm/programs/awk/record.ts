/**
 * The current record: cut into fields only as far as a program looks, and put together again only
 * when it looks. The text is a part of the block it was read in.
 */
import { AwkFatalError } from "./awk-error.ts";
import { type NumberFormat, plainInteger } from "./number-text.ts";
import type { Splitter } from "./split-fields.ts";
import { InputText, MISSING_FIELD, toNumber, toText, type Value } from "./value.ts";

const FIELDS_LIMIT = 10_000_000;

export interface RecordFormat {
  /** CONVFMT. */
  readonly format: NumberFormat;
  readonly ofs: string;
}

export class CurrentRecord {
  readonly #settings: RecordFormat;
  /** Where the record's text is. */
  #block = "";
  #start = 0;
  #end = 0;
  /** The whole text, where it was asked for or set. */
  #text: string | undefined = "";
  /** Starts and ends in the block of the fields known so far, from field 1 on. */
  #places: number[] = [];
  #count = 0;
  #at = 0;
  #isSplit = true;
  /** The fields as values, once one was assigned or the splitter made texts. */
  #values: Value[] | undefined;
  #splitter: Splitter = { kind: "blank" };
  /** The splitter for the records to come. */
  nextSplitter: Splitter = { kind: "blank" };

  constructor(settings: RecordFormat) {
    this.#settings = settings;
  }

  /** A new record, as a part of a block. */
  setPart(block: string, start: number, end: number): void {
    this.#block = block;
    this.#start = start;
    this.#end = end;
    this.#text = undefined;
    this.#forget();
  }

  /** `$0 = text`. */
  setText(text: string): void {
    this.#block = text;
    this.#start = 0;
    this.#end = text.length;
    this.#text = text;
    this.#forget();
  }

  #forget(): void {
    this.#count = 0;
    this.#at = this.#start;
    this.#isSplit = false;
    this.#values = undefined;
    this.#splitter = this.nextSplitter;
  }

  get text(): string {
    if (this.#text === undefined)
      this.#text =
        this.#values === undefined || !this.#isStale
          ? this.#block.slice(this.#start, this.#end)
          : this.#rebuild();
    return this.#text;
  }

  /** A field was assigned and the text not yet put together. */
  #isStale = false;

  #rebuild(): string {
    const { format, ofs } = this.#settings;
    this.#isStale = false;
    const text = (this.#values ?? []).map((value) => toText(value, format)).join(ofs);
    this.#block = text;
    this.#start = 0;
    this.#end = text.length;
    return text;
  }

  /** The whole as a value. */
  get value(): Value {
    return new InputText(this.text);
  }

  get fieldCount(): number {
    this.#splitAll();
    return this.#values === undefined ? this.#count : this.#values.length;
  }

  fieldText(index: number): string {
    if (index === 0) return this.text;
    if (this.#values === undefined) this.#splitTo(index);
    const values = this.#values;
    if (values !== undefined) return toText(values[index - 1], this.#settings.format);
    if (index > this.#count) return "";
    return this.#block.slice(this.#places[index * 2 - 2], this.#places[index * 2 - 1]);
  }

  fieldValue(index: number): Value {
    if (index === 0) return this.value;
    if (this.#values === undefined) this.#splitTo(index);
    if (this.#values !== undefined)
      return index > this.#values.length ? MISSING_FIELD : this.#values[index - 1];
    return index > this.#count ? MISSING_FIELD : new InputText(this.fieldText(index));
  }

  fieldNumber(index: number): number {
    if (index !== 0 && this.#values === undefined) this.#splitTo(index);
    if (index === 0 || this.#values !== undefined) return toNumber(this.fieldValue(index));
    if (index > this.#count) return 0;
    const from = this.#places[index * 2 - 2] ?? 0;
    const to = this.#places[index * 2 - 1] ?? 0;
    return plainInteger(this.#block, from, to) ?? toNumber(this.#block.slice(from, to));
  }

  setField(index: number, value: Value): void {
    if (index === 0) {
      this.setText(toText(value, this.#settings.format));
      return;
    }
    const values = this.#materialise();
    if (index > FIELDS_LIMIT) throw new AwkFatalError("memory exhausted");
    while (values.length < index) values.push("");
    values[index - 1] = value;
    this.#text = undefined;
    this.#isStale = true;
  }

  /** `NF = count`. */
  setFieldCount(count: number): void {
    if (count < 0) throw new AwkFatalError("NF set to negative value");
    if (count > FIELDS_LIMIT) throw new AwkFatalError("memory exhausted");
    const values = this.#materialise();
    while (values.length < count) values.push("");
    values.length = count;
    this.#text = undefined;
    this.#isStale = true;
  }

  /** Before FS or OFS changes: what is read already keeps the old ones. */
  settle(): void {
    this.#splitAll();
    if (this.#isStale) this.#text ??= this.#rebuild();
  }

  #materialise(): Value[] {
    this.#splitAll();
    if (this.#values !== undefined) return this.#values;
    const values: Value[] = [];
    for (let index = 1; index <= this.#count; index++)
      values.push(new InputText(this.fieldText(index)));
    this.#values = values;
    return values;
  }

  #splitAll(): void {
    if (!this.#isSplit) this.#splitTo(Number.POSITIVE_INFINITY);
  }

  /** Finds fields until there are `wanted` or the record ends. */
  #splitTo(wanted: number): void {
    if (this.#isSplit || this.#count >= wanted) return;
    const splitter = this.#splitter;
    switch (splitter.kind) {
      case "blank":
        this.#splitBlanks(wanted);
        return;
      case "character":
        this.#splitAt(splitter.separator, wanted);
        return;
      case "all": {
        const { fields } = splitter.split(this.text);
        this.#values = fields.map((field) => new InputText(field));
        this.#isSplit = true;
        this.#isStale = false;
        return;
      }
    }
  }

  #splitBlanks(wanted: number): void {
    const block = this.#block;
    const end = this.#end;
    const places = this.#places;
    let at = this.#at;
    let count = this.#count;
    while (count < wanted) {
      while (at < end && isBlank(block.charCodeAt(at))) at += 1;
      if (at === end) {
        this.#isSplit = true;
        break;
      }
      places[count * 2] = at;
      at += 1;
      while (at < end && !isBlank(block.charCodeAt(at))) at += 1;
      places[count * 2 + 1] = at;
      count += 1;
    }
    this.#at = at;
    this.#count = count;
  }

  #splitAt(separator: string, wanted: number): void {
    const block = this.#block;
    const end = this.#end;
    const places = this.#places;
    const code = separator.charCodeAt(0);
    let at = this.#at;
    let count = this.#count;
    if (this.#start === end) {
      this.#isSplit = true;
      return;
    }
    while (count < wanted) {
      places[count * 2] = at;
      while (at < end && block.charCodeAt(at) !== code) at += 1;
      places[count * 2 + 1] = at;
      count += 1;
      if (at === end) {
        this.#isSplit = true;
        break;
      }
      at += 1;
    }
    this.#at = at;
    this.#count = count;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10;
}
