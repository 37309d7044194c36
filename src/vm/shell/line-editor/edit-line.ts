/** The line that is edited: text, point, mark, and what can be undone. */
import { nextCharacter, previousCharacter } from "./character-width.ts";

interface Snapshot {
  readonly text: string;
  readonly point: number;
}

/** Changes that can be undone; the oldest are forgotten. */
const UNDO_LIMIT = 1000;

/** How long a line may become: what a shell could run of it. */
const LENGTH_LIMIT = 1024 * 1024;

export class EditLine {
  #text = "";
  #point = 0;
  mark = 0;
  readonly #undo: Snapshot[] = [];
  #isJoining = false;

  get text(): string {
    return this.#text;
  }

  get point(): number {
    return this.#point;
  }

  set point(point: number) {
    this.#point = Math.max(0, Math.min(point, this.#text.length));
    this.#isJoining = false;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Another line, with nothing to undo. */
  reset(text: string, point = text.length): void {
    this.#text = text;
    this.#point = point;
    this.mark = 0;
    this.#undo.length = 0;
    this.#isJoining = false;
  }

  /** Puts text in place of what is from `start` to `end`; the point goes behind it. */
  replace(start: number, end: number, text: string): void {
    if (this.#text.length + text.length - (end - start) > LENGTH_LIMIT) return;
    this.#remember();
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#point = start + text.length;
    this.mark = Math.min(this.mark, this.#text.length);
    this.#isJoining = false;
  }

  insert(text: string): void {
    this.replace(this.#point, this.#point, text);
  }

  /** Typed characters are undone together. */
  type(text: string): void {
    if (this.#text.length + text.length > LENGTH_LIMIT) return;
    if (!this.#isJoining) this.#remember();
    this.#text = this.#text.slice(0, this.#point) + text + this.#text.slice(this.#point);
    this.#point += text.length;
    this.#isJoining = true;
  }

  /** Takes text away and answers it. */
  remove(start: number, end: number): string {
    const removed = this.#text.slice(start, end);
    if (removed !== "") this.replace(start, end, "");
    return removed;
  }

  /** Answers whether there was anything to undo. */
  undo(): boolean {
    const before = this.#undo.pop();
    if (before === undefined) return false;
    this.#text = before.text;
    this.#point = before.point;
    this.#isJoining = false;
    return true;
  }

  revert(): void {
    const [first] = this.#undo;
    if (first === undefined) return;
    this.#text = first.text;
    this.#point = first.point;
    this.#undo.length = 0;
  }

  next(from = this.#point): number {
    return nextCharacter(this.#text, from);
  }

  previous(from = this.#point): number {
    return previousCharacter(this.#text, from);
  }

  #remember(): void {
    this.#undo.push({ text: this.#text, point: this.#point });
    if (this.#undo.length > UNDO_LIMIT) this.#undo.shift();
  }
}
