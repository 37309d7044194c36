import { RegExpTooComplexError } from "./regexp/errors.ts";
import type { Step, Steps } from "./regexp-steps.ts";

/** Steps of one search: about a second. */
const STEPS_LIMIT = 20_000_000;
/** With back references nothing tried can be remembered. */
const BACK_REFERENCE_STEPS_LIMIT = 5_000_000;
/** Bits to remember which way was tried where. */
const MEMORY_BITS_LIMIT = 2 ** 28;

export interface MachineOptions {
  readonly isMultiline: boolean;
  readonly hasBackReferences: boolean;
}

/**
 * Runs steps over one text. A way that failed at a place is not tried there again, so a search takes
 * no longer than text times steps; back references forbid that and meet a limit sooner. Either limit
 * is a RegExpTooComplexError.
 */
export class RegExpMachine {
  readonly text: string;
  readonly #options: MachineOptions;
  #left: number;

  constructor(text: string, options: MachineOptions) {
    this.text = text;
    this.#options = options;
    this.#left = options.hasBackReferences ? BACK_REFERENCE_STEPS_LIMIT : STEPS_LIMIT;
  }

  /** The first of the starts a match begins at: its slots. */
  search(steps: Steps, starts: Iterable<number>): Int32Array | undefined {
    const tried = this.#memory(steps);
    for (const start of starts) {
      const slots = new Int32Array(steps.slotCount).fill(-1);
      const end = new Attempt(this, steps, { slots, tried }).run(start);
      if (end === undefined) continue;
      slots[0] = start;
      slots[1] = end;
      return slots;
    }
    return undefined;
  }

  /** Fails with a RegExpTooComplexError when there have been too many. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RegExpTooComplexError();
  }

  isTrue(sign: "^" | "$" | "\\b" | "\\B", at: number): boolean {
    const { text } = this;
    if (sign === "^") return at === 0 || (this.#options.isMultiline && text[at - 1] === "\n");
    if (sign === "$") return at === text.length || (this.#options.isMultiline && text[at] === "\n");
    const isEdge = isWord(text[at - 1]) !== isWord(text[at]);
    return isEdge === (sign === "\\b");
  }

  /** Whether the steps match from a place on, or up to it. */
  looks(steps: Steps, at: number, before: Int32Array, isBehind: boolean): boolean {
    const slots = new Int32Array(Math.max(steps.slotCount, before.length));
    for (let start = at; start >= (isBehind ? 0 : at); start--) {
      slots.set(before);
      const tried = this.#memory(steps);
      const wanted = isBehind ? at : undefined;
      if (new Attempt(this, steps, { slots, tried, wanted }).run(start) !== undefined) return true;
    }
    return false;
  }

  #memory({ splitCount }: Steps): Uint32Array | undefined {
    if (this.#options.hasBackReferences) return undefined;
    const bits = splitCount * (this.text.length + 1);
    if (bits > MEMORY_BITS_LIMIT) throw new RegExpTooComplexError();
    this.spend(bits >>> 8);
    return new Uint32Array((bits >>> 5) + 1);
  }
}

interface AttemptOptions {
  readonly slots: Int32Array;
  /** A bit for each split at each place. */
  readonly tried: Uint32Array | undefined;
  /** Where the match must end. */
  readonly wanted?: number | undefined;
}

/** One try to match from one place. */
class Attempt {
  readonly #machine: RegExpMachine;
  readonly #text: string;
  readonly #list: readonly Step[];
  readonly #options: AttemptOptions;
  /** Pairs: a step and a place to go on at, or minus a slot less one and what it held. */
  readonly #later: number[] = [];
  #step = 0;
  #at = 0;

  constructor(machine: RegExpMachine, { list }: Steps, options: AttemptOptions) {
    this.#machine = machine;
    this.#text = machine.text;
    this.#list = list;
    this.#options = options;
  }

  /** Where the match ends. */
  run(start: number): number | undefined {
    const { wanted } = this.#options;
    this.#at = start;
    for (;;) {
      this.#machine.spend(1);
      const step = this.#list[this.#step];
      this.#step += 1;
      if (step === undefined || step.kind === "match") {
        if (wanted === undefined || wanted === this.#at) return this.#at;
        if (!this.#goBack()) return undefined;
      } else if (!this.#take(step) && !this.#goBack()) {
        return undefined;
      }
    }
  }

  #take(step: Exclude<Step, { kind: "match" }>): boolean {
    const { slots } = this.#options;
    switch (step.kind) {
      case "character": {
        const code = this.#text.codePointAt(this.#at);
        if (code === undefined || !step.accepts(code)) return false;
        this.#at += code > 0xffff ? 2 : 1;
        return true;
      }
      case "split":
        return this.#split(step);
      case "jump":
        this.#step = step.to;
        return true;
      case "save":
        this.#later.push(-step.slot - 1, slots[step.slot] ?? -1);
        slots[step.slot] = this.#at;
        return true;
      case "advanced":
        return slots[step.slot] !== this.#at;
      case "assert":
        return this.#machine.isTrue(step.sign, this.#at);
      case "look":
        return this.#machine.looks(step.steps, this.#at, slots, step.isBehind) !== step.isNegated;
      case "back":
        return this.#takeAgain(step.index);
    }
  }

  #split({ first, second, id }: Extract<Step, { kind: "split" }>): boolean {
    const { tried } = this.#options;
    if (tried !== undefined) {
      const bit = id * (this.#text.length + 1) + this.#at;
      const word = tried[bit >>> 5] ?? 0;
      if ((word & (1 << (bit & 31))) !== 0) return false;
      tried[bit >>> 5] = word | (1 << (bit & 31));
    }
    this.#later.push(second, this.#at);
    this.#step = first;
    return true;
  }

  #takeAgain(group: number): boolean {
    const [from = -1, to = -1] = this.#options.slots.subarray(group * 2, group * 2 + 2);
    const taken = from === -1 || to === -1 ? "" : this.#text.slice(from, to);
    if (!this.#text.startsWith(taken, this.#at)) return false;
    this.#at += taken.length;
    return true;
  }

  /** To the last way that was put off; false where there is none. */
  #goBack(): boolean {
    for (;;) {
      const value = this.#later.pop();
      const target = this.#later.pop();
      if (value === undefined || target === undefined) return false;
      if (target >= 0) {
        this.#step = target;
        this.#at = value;
        return true;
      }
      this.#options.slots[-target - 1] = value;
    }
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
