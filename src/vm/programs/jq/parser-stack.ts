import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Value } from "./value.ts";

/** Bytes that values take, roughly. */
const HELD_LIMIT = 2 * MEMORY_LIMIT;
const NUMBER_BYTES = 8;
const STRING_BYTES = 32;
const ARRAY_BYTES = 64;
const OBJECT_BYTES = 256;

/** jq's own, see MAX_PARSING_DEPTH. */
const DEPTH_LIMIT = 10_000;

interface OpenObject {
  readonly map: Map<string, Value>;
  key: string | undefined;
}

/**
 * The arrays and objects a JSON text has open. Answers problems in jq's words; fails with a
 * MemoryLimitError when what it holds grows too large.
 */
export class ParserStack {
  /** Whether values are kept by their taker, one beside the other. */
  readonly #isKept: boolean;
  #held = 0;
  readonly #open: (Value[] | OpenObject)[] = [];
  #top: Value[] | OpenObject | undefined;
  #next: Value | undefined;

  constructor(isKept = false) {
    this.#isKept = isKept;
  }

  get isEmpty(): boolean {
    return this.#top === undefined;
  }

  /** A whole value that is in no other. */
  takeDone(): Value | undefined {
    if (this.#top !== undefined || this.#next === undefined) return undefined;
    const value = this.#next;
    this.#next = undefined;
    if (!this.#isKept) this.#held = 0;
    return value;
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > HELD_LIMIT) throw new MemoryLimitError();
  }

  value(value: Value): string | undefined {
    if (this.#next !== undefined) return "Expected separator between values";
    this.#hold(typeof value === "string" ? STRING_BYTES + value.length : NUMBER_BYTES);
    this.#next = value;
    return undefined;
  }

  /** One of `,:[]{}` by its code. */
  structure(code: number): string | undefined {
    switch (code) {
      case 44:
        return this.#comma();
      case 58:
        return this.#colon();
      case 91:
        return this.#enter([]);
      case 93:
        return this.#closeArray();
      case 123:
        return this.#enter({ map: new Map(), key: undefined });
      default:
        return this.#closeObject();
    }
  }

  #enter(container: Value[] | OpenObject): string | undefined {
    if (this.#open.length >= DEPTH_LIMIT) return "Exceeds depth limit for parsing";
    if (this.#next !== undefined) return "Expected separator between values";
    this.#hold(Array.isArray(container) ? ARRAY_BYTES : OBJECT_BYTES);
    this.#open.push(container);
    this.#top = container;
    return undefined;
  }

  #leave(value: Value): undefined {
    this.#open.pop();
    this.#top = this.#open.at(-1);
    this.#next = value;
  }

  #colon(): string | undefined {
    const top = this.#top;
    if (this.#next === undefined) return "Expected string key before ':'";
    if (top === undefined || Array.isArray(top) || top.key !== undefined)
      return "':' not as part of an object";
    if (typeof this.#next !== "string") return "Object keys must be strings";
    top.key = this.#next;
    this.#next = undefined;
    return undefined;
  }

  #comma(): string | undefined {
    const top = this.#top;
    const value = this.#next;
    if (value === undefined) return "Expected value before ','";
    if (top === undefined) return "',' not as part of an object or array";
    if (Array.isArray(top)) top.push(value);
    else if (top.key === undefined) return "Objects must consist of key:value pairs";
    else {
      top.map.set(top.key, value);
      top.key = undefined;
    }
    this.#next = undefined;
    return undefined;
  }

  #closeArray(): string | undefined {
    const top = this.#top;
    if (top === undefined || !Array.isArray(top)) return "Unmatched ']'";
    if (this.#next !== undefined) top.push(this.#next);
    else if (top.length > 0) return "Expected another array element";
    return this.#leave(top);
  }

  #closeObject(): string | undefined {
    const top = this.#top;
    if (top === undefined) return "Unmatched '}'";
    if (this.#next !== undefined) {
      if (Array.isArray(top) || top.key === undefined)
        return "Objects must consist of key:value pairs";
      top.map.set(top.key, this.#next);
      return this.#leave(top.map);
    }
    if (Array.isArray(top) || top.key !== undefined) return "Unmatched '}'";
    if (top.map.size > 0) return "Expected another key-value pair";
    return this.#leave(top.map);
  }
}
