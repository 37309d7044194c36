import type { Termios } from "../abi/terminal.ts";
import { ByteRing } from "../pipe/byte-ring.ts";

/** Linux's limit of a terminal's buffer (TTYB_DEFAULT_MEM_LIMIT). */
const OUTPUT_BYTES = 65_536;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const BACKSPACE = 0x08;

/**
 * What the terminal shows: bytes on their way to the master, and the column the cursor is in, which
 * erasing a tab needs. While stopped (VSTOP) it takes nothing.
 */
export class TerminalOutput {
  readonly bytes = new ByteRing(OUTPUT_BYTES);
  isStopped = false;
  column = 0;
  /** The column where the line being edited began. */
  lineColumn = 0;

  get room(): number {
    return this.isStopped ? 0 : this.bytes.room;
  }

  /** Puts one byte as it is; false when there is no room. */
  put(byte: number): boolean {
    return !this.isStopped && this.bytes.pushByte(byte);
  }

  /** Puts one byte as OPOST has it; false when there is no room for all it becomes. */
  putProcessed(byte: number, { OPOST, ONLCR }: Termios["oflag"]): boolean {
    if (!OPOST) return this.put(byte);
    const isExpanded = byte === NEWLINE && ONLCR;
    if (this.room < (isExpanded ? 2 : 1)) return false;
    if (isExpanded) this.bytes.pushByte(RETURN);
    this.bytes.pushByte(byte);
    this.#move(byte, ONLCR);
    return true;
  }

  /** Takes bytes of `from` from `start` on, as many as fit; answers how many of them. */
  write(from: Uint8Array, start: number, oflag: Termios["oflag"]): number {
    if (this.isStopped) return 0;
    if (!oflag.OPOST) return this.bytes.push(from, start);
    let at = start;
    while (at < from.length && this.room > 0) {
      const newline = from.indexOf(NEWLINE, at);
      const end = newline === -1 ? from.length : newline;
      const count = this.bytes.push(from.subarray(at, end));
      const isLineDone = at + count === newline && oflag.ONLCR && this.room >= 2;
      // A newline sets the column to 0, whatever it was: no need to follow the line.
      if (!isLineDone) this.#moveAll(from, at, at + count, oflag.ONLCR);
      at += count;
      if (at < end || at === from.length) break;
      if (!this.putProcessed(NEWLINE, oflag)) break;
      at += 1;
    }
    return at - start;
  }

  moveBack(columns: number): void {
    this.column = Math.max(0, this.column - columns);
  }

  #moveAll(bytes: Uint8Array, start: number, end: number, returnsAtNewline: boolean): void {
    for (let at = start; at < end; at++) this.#move(bytes[at] ?? 0, returnsAtNewline);
  }

  #move(byte: number, returnsAtNewline: boolean): void {
    switch (byte) {
      case NEWLINE:
        if (returnsAtNewline) this.column = 0;
        this.lineColumn = this.column;
        return;
      case RETURN:
        this.column = 0;
        this.lineColumn = 0;
        return;
      case TAB:
        this.column += 8 - (this.column & 7);
        return;
      case BACKSPACE:
        this.moveBack(1);
        return;
      default:
        if (!isControl(byte) && !isContinuation(byte)) this.column += 1;
    }
  }
}

/** Linux's iscntrl: C1 is not among them. */
export function isControl(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f;
}

/** Whether the byte continues a UTF-8 character. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
