import type { Termios } from "../abi/terminal.ts";
import { isControl, type TerminalOutput } from "./terminal-output.ts";

/** What is waiting is shown at the latest when there is this much (ECHO_COMMIT_WATERMARK). */
const COMMIT_AT = 256;
/** Beyond this the oldest is forgotten, as Linux does while output is stopped (ECHO_BUF_SIZE). */
const LIMIT = 4096;

const CONTROL = 0x100;
const SET_LINE_COLUMN = 0x200;
const ERASE_TAB = 0x400;
/** With ERASE_TAB: the columns are counted from a tab before, not from the start of the line. */
const AFTER_TAB = 0x80;

/**
 * Echoes on their way to the screen: bytes and steps that depend on the column reached by then.
 * They wait while output is stopped or full.
 */
export class EchoQueue {
  #steps: number[] = [];
  /** The steps before this one are done or forgotten. */
  #first = 0;

  /** Shows a byte as typed: a control character as `^X` where ECHOCTL is set. */
  add(byte: number, showsControls: boolean): void {
    const isShownAsPair = showsControls && isControl(byte) && byte !== 0x09;
    this.#push(isShownAsPair ? CONTROL | byte : byte);
  }

  addRaw(...bytes: readonly number[]): void {
    for (const byte of bytes) this.#push(byte);
  }

  /** Remembers the column as the one where the line began. */
  markLineColumn(): void {
    this.#push(SET_LINE_COLUMN);
  }

  /** Goes back over a tab that `columns` characters come before. */
  eraseTab(columns: number, isAfterTab: boolean): void {
    this.#push(ERASE_TAB | (columns & 7) | (isAfterTab ? AFTER_TAB : 0));
  }

  /** Shows what has gathered once it is much. */
  commit(output: TerminalOutput, oflag: Termios["oflag"]): void {
    if (this.#steps.length - this.#first >= COMMIT_AT) this.flush(output, oflag);
  }

  /** Shows what there is room for. */
  flush(output: TerminalOutput, oflag: Termios["oflag"]): void {
    while (this.#first < this.#steps.length) {
      if (!show(this.#steps[this.#first] ?? 0, output, oflag)) return;
      this.#first += 1;
    }
    this.clear();
  }

  clear(): void {
    this.#steps = [];
    this.#first = 0;
  }

  #push(step: number): void {
    this.#steps.push(step);
    if (this.#steps.length - this.#first > LIMIT) this.#first += 1;
    if (this.#first < LIMIT) return;
    this.#steps = this.#steps.slice(this.#first);
    this.#first = 0;
  }
}

function show(step: number, output: TerminalOutput, oflag: Termios["oflag"]): boolean {
  if (step === SET_LINE_COLUMN) {
    output.lineColumn = output.column;
    return true;
  }
  if ((step & ERASE_TAB) !== 0) return showErasedTab(step, output);
  if ((step & CONTROL) === 0) return output.putProcessed(step, oflag);
  if (output.room < 2) return false;
  output.put(0x5e);
  output.put((step & 0xff) ^ 0x40);
  output.column += 2;
  return true;
}

function showErasedTab(step: number, output: TerminalOutput): boolean {
  const isAfterTab = (step & AFTER_TAB) !== 0;
  const columns = (step & 7) + (isAfterTab ? 0 : output.lineColumn);
  const back = 8 - (columns & 7);
  if (output.room < back) return false;
  for (let count = 0; count < back; count++) output.put(0x08);
  output.moveBack(back);
  return true;
}
