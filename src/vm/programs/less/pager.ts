import { findWindowSize } from "../is-terminal.ts";
import type { Keyboard } from "../keyboard.ts";
import type { Run } from "../program.ts";
import type { TextRegExp } from "../regexp/text-regexp.ts";
import { rowsToMove, toEnd, toStart } from "./keys.ts";
import type { LineStore } from "./line-store.ts";
import { makeRows } from "./rows.ts";
import { compileSearch } from "./search.ts";

const REVERSE = "\u001B[7m";
const PLAIN = "\u001B[m";
const CLEAR = "\u001B[H\u001B[2J";
/** A search lets others run after so many. */
const YIELD_LINES = 2000;

export interface PagerOptions {
  readonly name: string;
  /** What `+` on the command line asks for first. */
  readonly first: string;
}

/** What a key asks for beside moving. */
export type Ending = "quit" | "next" | "previous";

/** One file in a window. */
export class Pager {
  readonly #run: Run;
  readonly #keyboard: Keyboard;
  readonly #store: LineStore;
  readonly #name: string;
  readonly #first: string;
  #isChopped: boolean;
  #isNumbered: boolean;
  /** The line on top. */
  #top = 0;
  #shift = 0;
  #rows = 24;
  #cols = 80;
  #search: TextRegExp | undefined;
  #isBackward = false;
  #message = "";
  #count = "";

  constructor(run: Run, keyboard: Keyboard, store: LineStore, options: PagerOptions) {
    this.#run = run;
    this.#keyboard = keyboard;
    this.#store = store;
    this.#name = options.name;
    this.#first = options.first;
    this.#isChopped = run.has("chop-long-lines");
    this.#isNumbered = run.has("LINE-NUMBERS");
  }

  async run(): Promise<Ending> {
    await this.#measure();
    if (this.#first === "G") await this.#toEnd();
    else if (this.#first.startsWith("/")) await this.#find(this.#first.slice(1), false);
    else if (/^\d+$/.test(this.#first)) this.#top = Math.max(0, Number(this.#first) - 1);
    for (;;) {
      await this.#measure();
      await this.#draw();
      const key = await this.#keyboard.key();
      if (key === undefined) return "quit";
      const ending = await this.#act(key);
      if (ending !== undefined) return ending;
    }
  }

  async #measure(): Promise<void> {
    const size = await findWindowSize(this.#run.sys, 1);
    this.#rows = Math.max(2, size?.rows ?? 24);
    this.#cols = Math.max(10, size?.cols ?? 80);
  }

  get #page(): number {
    return this.#rows - 1;
  }

  async #act(key: string): Promise<Ending | undefined> {
    this.#message = "";
    if (/^\d$/.test(key)) {
      this.#count = (this.#count + key).slice(0, 9);
      return undefined;
    }
    const given = this.#count === "" ? undefined : Number(this.#count);
    this.#count = "";
    if (key === "q" || key === "Q" || key === "ZZ") return "quit";
    if (key === ":") return this.#colon();
    if (await this.#move(key, given)) return undefined;
    await this.#command(key);
    return undefined;
  }

  async #colon(): Promise<Ending | undefined> {
    const key = await this.#keyboard.key();
    if (key === "q") return "quit";
    if (key === "n") return "next";
    return key === "p" ? "previous" : undefined;
  }

  /** False where the key does not move. */
  async #move(key: string, given: number | undefined): Promise<boolean> {
    const step = rowsToMove(key, this.#page, given);
    if (step !== undefined) {
      await this.#scroll(step);
      return true;
    }
    if (toStart.has(key)) {
      this.#top = 0;
      if (given !== undefined) await this.#scroll(given - 1);
      return true;
    }
    if (toEnd.has(key)) {
      await this.#toEnd();
      if (given !== undefined) this.#top = Math.max(0, Math.min(given - 1, this.#store.count - 1));
      return true;
    }
    return false;
  }

  async #command(key: string): Promise<void> {
    switch (key) {
      case "/":
      case "?":
        await this.#ask(key);
        return;
      case "n":
        await this.#again(this.#isBackward);
        return;
      case "N":
        await this.#again(!this.#isBackward);
        return;
      case "\u001B[C":
        this.#shift += Math.floor(this.#cols / 2);
        return;
      case "\u001B[D":
        this.#shift = Math.max(0, this.#shift - Math.floor(this.#cols / 2));
        return;
      case "=":
      case "\u0007":
        await this.#store.readAll();
        this.#message = `${this.#name} lines ${this.#top + 1}-${this.#top + this.#page}/${this.#store.count}`;
        return;
      case "-":
        await this.#toggle();
        return;
      case "h":
      case "H":
        this.#message = "j k SPACE b g G /text n N -S -N :n :p q";
        return;
      default:
    }
  }

  async #toggle(): Promise<void> {
    const key = await this.#keyboard.key();
    if (key === "S") this.#isChopped = !this.#isChopped;
    if (key === "N") this.#isNumbered = !this.#isNumbered;
  }

  async #scroll(by: number): Promise<void> {
    const wanted = Math.max(0, this.#top + by);
    if (by > 0 && (await this.#store.line(wanted + this.#page - 1)) === undefined) {
      this.#top = Math.max(this.#top, Math.max(0, this.#store.count - this.#page));
      return;
    }
    this.#top = wanted;
  }

  async #toEnd(): Promise<void> {
    await this.#store.readAll();
    this.#top = Math.max(0, this.#store.count - this.#page);
  }

  async #ask(mark: string): Promise<void> {
    let text = "";
    for (;;) {
      await this.#write(`\r\u001B[K${mark}${text}`);
      const key = await this.#keyboard.key();
      if (key === undefined || key === "\u0007" || key === "\u001B") return;
      if (key === "\r" || key === "\n") break;
      if (key === "\u007F" || key === "\b") {
        if (text === "") return;
        text = text.slice(0, -1);
      } else text += key;
    }
    await this.#find(text, mark === "?");
  }

  async #find(text: string, isBackward: boolean): Promise<void> {
    this.#isBackward = isBackward;
    if (text !== "") {
      const search = compileSearch(text, this.#run);
      if (typeof search === "string") {
        this.#message = search;
        return;
      }
      this.#search = search;
    }
    await this.#again(isBackward, this.#top === 0 && text !== "" && !isBackward ? 0 : undefined);
  }

  async #again(isBackward: boolean, from?: number): Promise<void> {
    if (this.#search === undefined) {
      this.#message = "No previous regular expression";
      return;
    }
    const step = isBackward ? -1 : 1;
    for (let at = from ?? this.#top + step; at >= 0; at += step) {
      const line = await this.#store.line(at);
      if (line === undefined) break;
      if (this.#search.test(line)) {
        this.#top = at;
        return;
      }
      if (at % YIELD_LINES === 0) await this.#run.sys.schedYield();
    }
    this.#message = "Pattern not found";
  }

  async #draw(): Promise<void> {
    const shown: string[] = [];
    const width = this.#isNumbered ? this.#cols - 8 : this.#cols;
    let at = this.#top;
    for (; shown.length < this.#page; at++) {
      const line = await this.#store.line(at);
      if (line === undefined) break;
      const rows = makeRows(this.#mark(line), {
        width,
        isChopped: this.#isChopped || this.#shift > 0,
        keepsColours: true,
        shift: this.#shift,
      });
      const number = this.#isNumbered ? `${String(at + 1).padStart(7)} ` : "";
      shown.push(
        ...rows.map((row, place) => `${place === 0 ? number : number.replace(/./g, " ")}${row}`),
      );
    }
    const body = shown.slice(0, this.#page);
    while (body.length < this.#page) body.push("~");
    const isEnd = (await this.#store.line(at)) === undefined;
    await this.#write(`${CLEAR}${body.join("\r\n")}\r\n${this.#prompt(isEnd)}`);
  }

  /** What was searched for stands out. */
  #mark(line: string): string {
    const search = this.#search;
    if (search === undefined) return line;
    let marked = "";
    let at = 0;
    for (let found = search.exec(line, 0); found !== null; found = search.exec(line, at)) {
      const [text = ""] = found.groups;
      if (text === "") break;
      marked += `${line.slice(at, found.index)}${REVERSE}${text}${PLAIN}`;
      at = found.index + text.length;
    }
    return marked + line.slice(at);
  }

  #prompt(isEnd: boolean): string {
    if (this.#message !== "") return `${REVERSE}${this.#message}${PLAIN}`;
    if (isEnd) return `${REVERSE}(END)${PLAIN}`;
    return this.#top === 0 && this.#name !== "" ? `${REVERSE}${this.#name}${PLAIN}` : ":";
  }

  async #write(text: string): Promise<void> {
    this.#run.out.addText(text);
    await this.#run.out.flush();
  }
}
