import type { Termios } from "../abi/terminal.ts";
import type { EchoQueue } from "./echo-queue.ts";
import type { InputQueue } from "./input-queue.ts";
import { isContinuation, isControl } from "./terminal-output.ts";

const NEWLINE = 0x0a;
const TAB = 0x09;
/** Back, over it, back again. */
const RUB_OUT = [0x08, 0x20, 0x08];

type Amount = "character" | "word" | "line";

/** Takes back the last character, word or line typed, as VERASE, VWERASE and VKILL say. */
export function eraseTyped(
  byte: number,
  termios: Termios,
  input: InputQueue,
  echoes: EchoQueue,
): void {
  if (input.head === input.lineStart) return;
  const { lflag, cc } = termios;
  const amount = amountOf(byte, cc);
  if (amount === "line" && !(lflag.ECHO && lflag.ECHOK && lflag.ECHOE)) {
    input.cut(input.lineStart);
    if (lflag.ECHO) echoes.add(cc.VKILL, lflag.ECHOCTL);
    if (lflag.ECHO && lflag.ECHOK) echoes.addRaw(NEWLINE);
    return;
  }
  eraseBack(amount, termios, input, echoes);
}

function eraseBack(amount: Amount, termios: Termios, input: InputQueue, echoes: EchoQueue): void {
  let hasSeenWord = false;
  while (input.head > input.lineStart) {
    const start = characterStart(input);
    const first = input.byteAt(start);
    // A continuation without its first byte is left alone.
    if (isContinuation(first)) return;
    if (amount === "word") {
      if (isWordByte(first)) hasSeenWord = true;
      else if (hasSeenWord) return;
    }
    input.cut(start);
    if (termios.lflag.ECHO) echoErased(first, amount, termios, { input, echoes });
    if (amount === "character") return;
  }
}

function echoErased(
  byte: number,
  amount: Amount,
  { lflag, cc }: Termios,
  { input, echoes }: { input: InputQueue; echoes: EchoQueue },
): void {
  if (amount === "character" && !lflag.ECHOE) {
    echoes.add(cc.VERASE, lflag.ECHOCTL);
    return;
  }
  if (byte === TAB) {
    eraseTab(lflag.ECHOCTL, input, echoes);
    return;
  }
  if (isControl(byte) && !lflag.ECHOCTL) return;
  if (isControl(byte)) echoes.addRaw(...RUB_OUT);
  echoes.addRaw(...RUB_OUT);
}

/** Counts the columns since the start of the line or the tab before; the echo goes back the rest. */
function eraseTab(showsControls: boolean, input: InputQueue, echoes: EchoQueue): void {
  let columns = 0;
  for (let at = input.head - 1; at >= input.lineStart; at--) {
    const byte = input.byteAt(at);
    if (byte === TAB) {
      echoes.eraseTab(columns, true);
      return;
    }
    if (isControl(byte)) columns += showsControls ? 2 : 0;
    else if (!isContinuation(byte)) columns += 1;
  }
  echoes.eraseTab(columns, false);
}

function characterStart(input: InputQueue): number {
  let start = input.head - 1;
  while (start > input.lineStart && isContinuation(input.byteAt(start))) start -= 1;
  return start;
}

function amountOf(byte: number, cc: Termios["cc"]): Amount {
  if (byte === cc.VERASE) return "character";
  return byte === cc.VWERASE ? "word" : "line";
}

/** Linux's isalnum, which takes Latin-1's letters (and so UTF-8's first bytes) for such, and `_`. */
function isWordByte(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const letter = byte & ~0x20;
  const isLetter = letter >= 0x41 && letter <= 0x5a;
  const isLatin = byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7;
  return isDigit || isLetter || isLatin || byte === 0x5f;
}
