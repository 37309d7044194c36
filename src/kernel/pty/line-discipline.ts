/**
 * What a terminal makes of typed bytes: editing, echo, signals, flow control. It follows Linux's
 * n_tty.c step by step, so that both sides of a terminal carry the same bytes as there.
 */
import { signals } from "../abi/signals.ts";
import type { Termios } from "../abi/terminal.ts";
import { EchoQueue } from "./echo-queue.ts";
import { eraseTyped } from "./erase.ts";
import { InputQueue } from "./input-queue.ts";
import type { TerminalOutput } from "./terminal-output.ts";
import { DEFAULT_TERMIOS, passesInput, specialBytes } from "./termios.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export class LineDiscipline {
  readonly input = new InputQueue();
  readonly echoes = new EchoQueue();
  readonly #output: TerminalOutput;
  /** Sends a signal to the foreground group. */
  readonly #signal: (signal: number) => void;
  #termios = DEFAULT_TERMIOS;
  #special = specialBytes(DEFAULT_TERMIOS);
  #isPassing = false;
  /** What was on its way to the master when the bytes being taken came. */
  #shownBefore = 0;
  /** VLNEXT came: the next byte is taken as it is. */
  #isNextLiteral = false;

  constructor(output: TerminalOutput, signal: (signal: number) => void) {
    this.#output = output;
    this.#signal = signal;
  }

  get termios(): Termios {
    return this.#termios;
  }

  set termios(termios: Termios) {
    const before = this.#termios;
    this.#termios = termios;
    this.#special = specialBytes(termios);
    this.#isPassing = passesInput(termios);
    if (before.lflag.ICANON !== termios.lflag.ICANON) {
      this.input.switchMode(termios.lflag.ICANON);
      this.#isNextLiteral = false;
    }
    if (before.iflag.IXON && !termios.iflag.IXON) this.#restart();
  }

  /** Whether a read finds something; `atLeast` counts in raw mode only. */
  hasInput(atLeast = 1): boolean {
    if (this.#termios.lflag.ICANON) return this.input.hasLine;
    return this.input.size >= atLeast;
  }

  take(into: Uint8Array): number {
    return this.#termios.lflag.ICANON ? this.input.takeLine(into) : this.input.takeBytes(into);
  }

  /** How many typed bytes it takes before it looks at the room again; 0 when it takes none. */
  get room(): number {
    const { room, hasLine } = this.input;
    if (room > 0) return room;
    return this.#termios.lflag.ICANON && !hasLine ? 1 : 0;
  }

  /**
   * Takes typed bytes, as many as there is room for, and answers how many. A line that is too long
   * is taken to its end, its bytes past 4095 overwriting each other; with a whole line unread and
   * the queue full, nothing is taken.
   */
  receive(bytes: Uint8Array): number {
    let taken = 0;
    this.#shownBefore = this.#output.bytes.size;
    while (taken < bytes.length) {
      const { room } = this;
      if (room === 0) break;
      if (this.input.room < 0) this.input.cut(this.input.head - 1);
      const end = Math.min(bytes.length, taken + room);
      this.#receiveAll(bytes.subarray(taken, end));
      taken = end;
    }
    if (taken > 0) this.flushEchoes();
    return taken;
  }

  flushEchoes(): void {
    this.echoes.flush(this.#output, this.#termios.oflag);
  }

  discardInput(): void {
    this.input.clear();
  }

  #receiveAll(bytes: Uint8Array): void {
    if (this.#isPassing) {
      this.input.putAll(bytes);
      return;
    }
    const mask = this.#termios.iflag.ISTRIP ? 0x7f : 0xff;
    for (const byte of bytes) this.#receiveByte(byte & mask);
  }

  #receiveByte(byte: number): void {
    if (this.#isNextLiteral) {
      this.#isNextLiteral = false;
      this.#receiveOrdinary(byte);
    } else if (this.#special.has(byte)) this.#receiveSpecial(byte);
    else this.#receiveOrdinary(byte);
  }

  #receiveOrdinary(byte: number): void {
    this.#echoTyped(byte);
    this.input.put(byte);
  }

  #receiveSpecial(byte: number): void {
    if (this.#controlFlow(byte) || this.#sendSignal(byte)) return;
    const { iflag, lflag } = this.#termios;
    if (byte === RETURN && iflag.IGNCR) return;
    const translated = translate(byte, iflag);
    if (lflag.ICANON && this.#edit(translated)) return;
    if (translated === NEWLINE && lflag.ECHO) {
      this.echoes.addRaw(NEWLINE);
      this.#commit();
      this.input.put(NEWLINE);
      return;
    }
    this.#receiveOrdinary(translated);
  }

  #controlFlow(byte: number): boolean {
    const { iflag, cc } = this.#termios;
    if (!iflag.IXON) return false;
    if (byte === cc.VSTART) {
      this.#restart();
      return true;
    }
    if (byte !== cc.VSTOP) return false;
    this.#output.isStopped = true;
    return true;
  }

  #sendSignal(byte: number): boolean {
    const { iflag, lflag, cc } = this.#termios;
    const signal = lflag.ISIG ? signalFor(byte, cc) : undefined;
    if (signal === undefined) return false;
    this.#signal(signal);
    if (!lflag.NOFLSH) this.#flushAll();
    if (iflag.IXON) this.#output.isStopped = false;
    if (lflag.ECHO) this.echoes.add(byte, lflag.ECHOCTL);
    this.#commit();
    return true;
  }

  /** A signal's flush: what was typed, and its echo as far as the master has not got it. */
  #flushAll(): void {
    this.echoes.clear();
    this.#output.bytes.cut(this.#shownBefore);
    this.input.clear();
  }

  /** The editing bytes of canonical mode; false when the byte is text. */
  #edit(byte: number): boolean {
    const { lflag, cc } = this.#termios;
    const isWordErase = byte === cc.VWERASE && lflag.IEXTEN;
    if (byte === cc.VERASE || byte === cc.VKILL || isWordErase) {
      eraseTyped(byte, this.#termios, this.input, this.echoes);
      this.#commit();
      return true;
    }
    if (byte === cc.VLNEXT && lflag.IEXTEN) {
      this.#isNextLiteral = true;
      if (lflag.ECHO && lflag.ECHOCTL) this.echoes.addRaw(0x5e, 0x08);
      return true;
    }
    if (byte === cc.VREPRINT && lflag.ECHO && lflag.IEXTEN) {
      this.#reprint(byte);
      return true;
    }
    return this.#end(byte);
  }

  #end(byte: number): boolean {
    const { lflag, cc } = this.#termios;
    if (byte === NEWLINE) {
      if (lflag.ECHO || lflag.ECHONL) this.echoes.addRaw(NEWLINE);
      this.#commit();
      this.input.endLine(byte);
      return true;
    }
    if (byte === cc.VEOF) {
      this.input.endFile();
      return true;
    }
    if (byte !== cc.VEOL) return false;
    this.#echoTyped(byte);
    this.input.endLine(byte);
    return true;
  }

  #reprint(byte: number): void {
    const { ECHOCTL } = this.#termios.lflag;
    this.echoes.add(byte, ECHOCTL);
    this.echoes.addRaw(NEWLINE);
    for (let at = this.input.lineStart; at < this.input.head; at++) {
      this.echoes.add(this.input.byteAt(at), ECHOCTL);
    }
    this.#commit();
  }

  #echoTyped(byte: number): void {
    const { ECHO, ECHOCTL } = this.#termios.lflag;
    if (!ECHO) return;
    if (this.input.lineStart === this.input.head) this.echoes.markLineColumn();
    this.echoes.add(byte, ECHOCTL);
    this.#commit();
  }

  #commit(): void {
    this.echoes.commit(this.#output, this.#termios.oflag);
  }

  #restart(): void {
    this.#output.isStopped = false;
    this.flushEchoes();
  }
}

function translate(byte: number, iflag: Termios["iflag"]): number {
  if (byte === RETURN && iflag.ICRNL) return NEWLINE;
  if (byte === NEWLINE && iflag.INLCR) return RETURN;
  return byte;
}

function signalFor(byte: number, cc: Termios["cc"]): number | undefined {
  switch (byte) {
    case cc.VINTR:
      return signals.SIGINT;
    case cc.VQUIT:
      return signals.SIGQUIT;
    case cc.VSUSP:
      return signals.SIGTSTP;
    default:
      return undefined;
  }
}
