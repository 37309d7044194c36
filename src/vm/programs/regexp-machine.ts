import { RegExpTooComplexError, type Steps } from "./regexp-steps.ts";

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
  readonly #text: string;
  readonly #options: MachineOptions;
  #left: number;

  constructor(text: string, options: MachineOptions) {
    this.#text = text;
    this.#options = options;
    this.#left = options.hasBackReferences ? BACK_REFERENCE_STEPS_LIMIT : STEPS_LIMIT;
  }

  /** The first of the starts a match begins at: its slots. */
  search(steps: Steps, starts: Iterable<number>): Int32Array | undefined {
    const tried = this.#memory(steps);
    for (const start of starts) {
      const slots = new Int32Array(steps.slotCount).fill(-1);
      const end = this.#run(steps, start, slots, tried, undefined);
      if (end === undefined) continue;
      slots[0] = start;
      slots[1] = end;
      return slots;
    }
    return undefined;
  }

  #memory({ splitCount }: Steps): Uint32Array | undefined {
    if (this.#options.hasBackReferences) return undefined;
    const bits = splitCount * (this.#text.length + 1);
    if (bits > MEMORY_BITS_LIMIT) throw new RegExpTooComplexError();
    this.#spend(bits >>> 8);
    return new Uint32Array((bits >>> 5) + 1);
  }

  #spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new RegExpTooComplexError();
  }

  /** Where a match from `start` ends; one that ends at `wanted`, where that is given. */
  #run(
    { list }: Steps,
    start: number,
    slots: Int32Array,
    tried: Uint32Array | undefined,
    wanted: number | undefined,
  ): number | undefined {
    const text = this.#text;
    /** Pairs: a step and a place to go on at, or minus a slot less one and what it held. */
    const later: number[] = [];
    let step = 0;
    let at = start;
    for (;;) {
      this.#spend(1);
      const now = list[step];
      let isFine = true;
      step += 1;
      switch (now?.kind) {
        case "character": {
          const code = text.codePointAt(at);
          isFine = code !== undefined && now.accepts(code);
          if (code !== undefined) at += code > 0xffff ? 2 : 1;
          break;
        }
        case "split": {
          const bit = now.id * (text.length + 1) + at;
          if (tried !== undefined) {
            isFine = ((tried[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0;
            tried[bit >>> 5] = (tried[bit >>> 5] ?? 0) | (1 << (bit & 31));
          }
          if (isFine) later.push(now.second, at);
          step = now.first;
          break;
        }
        case "jump":
          step = now.to;
          break;
        case "save":
          later.push(-now.slot - 1, slots[now.slot] ?? -1);
          slots[now.slot] = at;
          break;
        case "advanced":
          isFine = slots[now.slot] !== at;
          break;
        case "assert":
          isFine = this.#isTrue(now.sign, at);
          break;
        case "look":
          isFine = this.#looks(now.steps, at, slots, now.isBehind) !== now.isNegated;
          break;
        case "back": {
          const from = slots[now.index * 2] ?? -1;
          const to = slots[now.index * 2 + 1] ?? -1;
          const taken = from === -1 || to === -1 ? "" : text.slice(from, to);
          isFine = text.startsWith(taken, at);
          at += taken.length;
          break;
        }
        default:
          if (wanted === undefined || wanted === at) return at;
          isFine = false;
      }
      if (isFine) continue;
      for (;;) {
        const value = later.pop();
        const target = later.pop();
        if (value === undefined || target === undefined) return undefined;
        if (target >= 0) {
          step = target;
          at = value;
          break;
        }
        slots[-target - 1] = value;
      }
    }
  }

  #looks(steps: Steps, at: number, slots: Int32Array, isBehind: boolean): boolean {
    const own = new Int32Array(Math.max(steps.slotCount, slots.length));
    for (let start = at; start >= (isBehind ? 0 : at); start--) {
      own.set(slots);
      const end = this.#run(steps, start, own, this.#memory(steps), isBehind ? at : undefined);
      if (end !== undefined) return true;
    }
    return false;
  }

  #isTrue(sign: "^" | "$" | "\\b" | "\\B", at: number): boolean {
    const text = this.#text;
    if (sign === "^") return at === 0 || (this.#options.isMultiline && text[at - 1] === "\n");
    if (sign === "$") return at === text.length || (this.#options.isMultiline && text[at] === "\n");
    const isEdge = isWord(text[at - 1]) !== isWord(text[at]);
    return isEdge === (sign === "\\b");
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
