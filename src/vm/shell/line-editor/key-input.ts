/** Keys: bytes put together to characters, and characters to the sequences keymaps know. */
import { decodeText } from "../../../kernel/index.ts";
import type { EditorTerminal } from "./editor-terminal.ts";
import type { Binding } from "./key-bindings.ts";

/** A key sequence and what it is bound to; `binding` is undefined for what is bound to nothing. */
export interface Key {
  readonly sequence: string;
  readonly binding: Binding | undefined;
}

const ESCAPE = "\u001b";
/** Macros that type macros end here. */
const PUSHED_LIMIT = 65_536;
/** Longer sequences are bound to nothing. */
const SEQUENCE_LIMIT = 32;

export class KeyInput {
  readonly #terminal: EditorTerminal;
  #pushed: string[] = [];
  /** What is typed while a macro is defined. */
  #recorded: string | undefined;

  constructor(terminal: EditorTerminal) {
    this.#terminal = terminal;
  }

  /** Types characters before all that is to come. */
  push(text: string): void {
    if (this.#pushed.length < PUSHED_LIMIT) this.#pushed.unshift(...text);
  }

  async isWaiting(): Promise<boolean> {
    return this.#pushed.length > 0 || (await this.#terminal.hasInput());
  }

  startRecording(): void {
    this.#recorded = "";
  }

  /** Ends the recording; undefined where there is none. */
  takeRecording(): string | undefined {
    const recorded = this.#recorded;
    this.#recorded = undefined;
    return recorded;
  }

  /** A character; undefined at the end of input or when the time is over. */
  async readCharacter(timeoutMs?: number): Promise<string | undefined> {
    const pushed = this.#pushed.shift();
    if (pushed !== undefined) return pushed;
    const first = await this.#terminal.readByte(timeoutMs);
    if (typeof first !== "number") return undefined;
    const bytes = [first];
    for (let left = followingBytes(first); left > 0; left--) {
      const next = await this.#terminal.readByte();
      if (typeof next !== "number") break;
      bytes.push(next);
    }
    const character = decodeText(Uint8Array.from(bytes));
    if (this.#recorded !== undefined && this.#recorded.length < PUSHED_LIMIT)
      this.#recorded += character;
    return character;
  }

  /** The next sequence; undefined at the end of input. */
  async readKey(keymap: ReadonlyMap<string, Binding>, timeoutMs: number): Promise<Key | undefined> {
    const first = await this.readCharacter();
    if (first === undefined) return undefined;
    let sequence = first;
    let bound: Key | undefined;
    for (;;) {
      const binding = keymap.get(sequence);
      if (binding !== undefined) bound = { sequence, binding };
      const isOpen = sequence.length < SEQUENCE_LIMIT && hasLonger(keymap, sequence);
      if (!isOpen && binding !== undefined) return { sequence, binding };
      if (!isOpen) return this.#unbound(keymap, sequence, bound);
      const next = await this.readCharacter(binding === undefined ? undefined : timeoutMs);
      if (next === undefined) return { sequence, binding };
      sequence += next;
    }
  }

  /**
   * Meta with a capital does what it does with the small letter; unknown function keys do nothing.
   * Else what the start of the sequence is bound to counts, and the rest is typed after it.
   */
  async #unbound(
    keymap: ReadonlyMap<string, Binding>,
    sequence: string,
    bound: Key | undefined,
  ): Promise<Key> {
    const lower = sequence.toLowerCase();
    const binding = keymap.get(lower);
    if (binding !== undefined && sequence.length > 1) return { sequence: lower, binding };
    let whole = sequence;
    while (
      whole.startsWith(`${ESCAPE}[`) &&
      /^.\[[0-?]*[ -/]*$/s.test(whole) &&
      whole.length < SEQUENCE_LIMIT
    ) {
      const next = await this.readCharacter();
      if (next === undefined) break;
      whole += next;
    }
    if (bound === undefined || whole.length > sequence.length)
      return { sequence: whole, binding: undefined };
    this.push(sequence.slice(bound.sequence.length));
    return bound;
  }
}

function hasLonger(keymap: ReadonlyMap<string, Binding>, sequence: string): boolean {
  if (sequence.length === 1 && sequence !== ESCAPE && sequence >= " ") {
    return [...keymap.keys()].some((key) => key.length > 1 && key.startsWith(sequence));
  }
  for (const key of keymap.keys())
    if (key.length > sequence.length && key.startsWith(sequence)) return true;
  return false;
}

function followingBytes(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 3;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xc2 && first < 0xe0 ? 1 : 0;
}
