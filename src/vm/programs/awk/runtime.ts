/** What a running awk program shares: its settings, its record, its files, its turn. */
import type { Sys } from "../../../kernel/index.ts";
import { AwkArray, type Holding, type Key, textKey } from "./awk-array.ts";
import type { Charset } from "./charset.ts";
import { Files } from "./files.ts";
import type { MainInput } from "./main-input.ts";
import { type NumberFormat, numberFormat, numberText } from "./number-text.ts";
import { Patterns } from "./patterns.ts";
import { Random } from "./random.ts";
import type { Separator } from "./reader.ts";
import { CurrentRecord } from "./record.ts";
import { splitByContent, splitterOf, splitterOfWidths } from "./split-fields.ts";
import { Formatter } from "./sprintf.ts";
import { InputText, toText, type Value } from "./value.ts";

/** Steps between two looks at the clock. */
const TICKS = 400;
/** How long a program runs before others have their turn. */
const TURN_MS = 4;

export interface RuntimeOptions {
  readonly sys: Sys;
  readonly charset: Charset;
  readonly environment: ReadonlyMap<string, string>;
  /** Says `awk: message` on fd 2. */
  readonly warn: (message: string) => Promise<void>;
}

export class Runtime {
  readonly sys: Sys;
  readonly charset: Charset;
  readonly environment: ReadonlyMap<string, string>;
  readonly patterns: Patterns;
  readonly formatter: Formatter;
  readonly record: CurrentRecord;
  readonly files: Files;
  readonly random = new Random(1);
  seed = 1;
  readonly holding: Holding = { bytes: 0 };
  readonly #warn: (message: string) => Promise<void>;
  /** Variables by their slots, and those of the function that runs. */
  readonly globals: Value[] = [];
  frame: Value[] = [];
  depth = 0;
  /** What the function that ended last returned. */
  returned: Value = undefined;
  exitStatus = 0;
  /** The line of the program that runs, for messages. */
  line = 0;
  /** Steps left until the next look at the clock. */
  ticks = TICKS;
  #turnStart = performance.now();

  /** CONVFMT and OFMT. */
  format: NumberFormat;
  outputFormat: NumberFormat;
  ofs = " ";
  ors = "\n";
  subsep = "\x1c";
  ignoreCase = false;
  nr = 0;
  fnr = 0;
  /** RT, as the record last read ended. */
  terminator: Value = undefined;
  separator: Separator = { kind: "character", character: "\n" };
  rs = "\n";
  fs = " ";
  /** What cuts fields: FS, FPAT or FIELDWIDTHS, whichever was assigned last. */
  fieldMode: "FS" | "FPAT" | "FIELDWIDTHS" = "FS";
  fpat = "[^[:space:]]+";
  fieldWidths = "";
  /** Set by the loop over the operands. */
  setErrno: (message: string) => void = () => undefined;
  /** PROCINFO, where `sorted_in` is looked up. */
  procinfo: AwkArray;
  /** The records of the operands; set before the program starts. */
  #input: MainInput | undefined;

  constructor({ sys, charset, environment, warn }: RuntimeOptions) {
    this.sys = sys;
    this.charset = charset;
    this.environment = environment;
    this.#warn = warn;
    this.patterns = new Patterns(charset);
    // The settings change while they are used: what uses them looks here each time.
    this.formatter = new Formatter(this);
    this.format = numberFormat("%.6g", (format, value) => this.formatter.format(format, [value]));
    this.outputFormat = this.format;
    this.record = new CurrentRecord(this);
    this.files = new Files(sys, charset, () => {
      this.ticks = 0;
    });
    this.procinfo = new AwkArray("PROCINFO", this.holding);
  }

  get input(): MainInput {
    if (this.#input === undefined) throw new Error("the input is not set");
    return this.#input;
  }

  set input(input: MainInput) {
    this.#input = input;
  }

  /** Where in the program it is, for messages. Set once the program is read. */
  place: () => string = () => "";

  async warnHere(message: string): Promise<void> {
    await this.files.stdout.flush();
    await this.#warn(`${this.place()}warning: ${message}`);
  }

  async warn(message: string): Promise<void> {
    await this.#warn(message);
  }

  numberFormat(format: string): NumberFormat {
    return numberFormat(format, (one, value) => this.formatter.format(one, [value]));
  }

  text(value: Value): string {
    return toText(value, this.format);
  }

  /** A value as a subscript. */
  key(value: Value): Key {
    if (typeof value === "number") {
      if (Number.isInteger(value) && value < 1e15 && value > -1e15) return value + 0;
      return textKey(numberText(value, this.format));
    }
    if (typeof value === "string") return textKey(value);
    return textKey(value instanceof InputText ? value.text : toText(value, this.format));
  }

  /** Whether a loop or a call goes on at once: else it waits for `pause`. */
  mustPause(): boolean {
    this.ticks -= 1;
    if (this.ticks > 0) return false;
    if (performance.now() - this.#turnStart < TURN_MS && !this.files.isFull) {
      this.ticks = TICKS;
      return false;
    }
    return true;
  }

  /** Writes out what is full and lets others run. */
  async pause(): Promise<void> {
    await this.files.flushFull();
    if (performance.now() - this.#turnStart >= TURN_MS) {
      await this.sys.hold(this.holding.bytes);
      await this.sys.schedYield();
      this.#turnStart = performance.now();
    }
    this.ticks = TICKS;
  }

  /** FS, FPAT, FIELDWIDTHS or RS changed: how records to come are cut. */
  chooseSplitter(): void {
    this.record.settle();
    const isParagraph = this.rs === "";
    if (this.fieldMode === "FPAT") {
      const pattern = this.patterns.get(this.fpat);
      this.record.nextSplitter = { kind: "all", split: (text) => splitByContent(text, pattern) };
      return;
    }
    this.record.nextSplitter =
      this.fieldMode === "FIELDWIDTHS"
        ? splitterOfWidths(this.fieldWidths)
        : splitterOf(this.fs, { patterns: this.patterns, isParagraph });
  }

  chooseSeparator(): void {
    if (this.rs === "") this.separator = { kind: "paragraph" };
    else if (this.rs.length === 1 && !(this.ignoreCase && /[a-z]/i.test(this.rs)))
      this.separator = { kind: "character", character: this.rs };
    else this.separator = { kind: "pattern", pattern: this.patterns.get(this.rs) };
  }
}
