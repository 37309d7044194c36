/** JSON of others: looked at before it is parsed, so that no text of theirs takes the thread for seconds. */

export interface JsonLimits {
  /** How deep lists and objects may nest: whoever walks a value may do so by recursion. */
  readonly depth: number;
  /** Lists, objects, texts and numbers, a list in a list counting twice. A million lists take 0.15 s to parse, and 70 MB. */
  readonly values: number;
}

/** For requests: of clients, cells and guests. */
export const REQUEST_JSON: JsonLimits = { depth: 200, values: 2_000_000 };
/** For data that a tool or a sandbox gives. */
export const RESULT_JSON: JsonLimits = { depth: 200, values: 4_000_000 };
/** For messages of MCP servers: schemas and results in them have limits of their own. */
export const MESSAGE_JSON: JsonLimits = { depth: 10_000, values: 4_000_000 };

/** Well-formed or not, it is more than we take. The message is a sentence that names the limit. */
export class JsonLimitError extends SyntaxError {
  constructor(message: string) {
    super(message);
    this.name = "JsonLimitError";
  }
}

/** Throws JsonLimitError, and SyntaxError for what is no JSON. */
export function parseBoundedJson(
  source: string | Uint8Array,
  limits: JsonLimits = REQUEST_JSON,
): unknown {
  const isText = typeof source === "string";
  new JsonMeter(limits).push(isText ? new TextEncoder().encode(source) : source);
  return JSON.parse(isText ? source : new TextDecoder().decode(source));
}

/** How many values a text of JSON holds, a few more at most; counts no further than just above `limit`. */
export function countValues(bytes: Uint8Array, limit: number = Number.POSITIVE_INFINITY): number {
  const meter = new JsonMeter({ depth: Number.POSITIVE_INFINITY, values: limit });
  try {
    meter.push(bytes);
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error;
  }
  return meter.values;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts the values of a JSON text, a few too many at most, and how deep they nest, as its bytes come. */
export class JsonMeter {
  readonly #limits: JsonLimits;
  #depth = 0;
  #values = 1;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  get values(): number {
    return this.#values;
  }

  /** Throws JsonLimitError as soon as a limit is passed. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      if (this.#isInString) at = this.#skipString(bytes, at);
      else this.#count(bytes[at] ?? 0);
    }
  }

  #count(byte: number): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open();
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    else if (byte === COMMA) this.#add();
  }

  #open(): void {
    this.#depth += 1;
    const { depth } = this.#limits;
    if (this.#depth > depth) throw new JsonLimitError(`It is nested deeper than ${depth} levels.`);
    this.#add();
  }

  #add(): void {
    this.#values += 1;
    const { values } = this.#limits;
    if (this.#values > values) throw new JsonLimitError(`It holds more than ${values} values.`);
  }

  /** Where the string that has begun ends, or the bytes do. */
  #skipString(bytes: Uint8Array, start: number): number {
    let isEscaped = this.#isEscaped;
    let at = start;
    for (let plain = 0; at < bytes.length; at++, plain++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) break;
      if (isEscaped) plain = 0;
      // A long piece without either goes by whole.
      if (plain === WINDOW_BYTES) {
        at = skipPlain(bytes, at + 1) - 1;
        plain = 0;
      }
    }
    this.#isEscaped = isEscaped;
    this.#isInString = at >= bytes.length;
    return at;
  }
}

/** What is searched at once: searching costs more than looking at a few bytes. */
const WINDOW_BYTES = 256;

/** The first byte from there on whose window holds a quote or a backslash. Windows grow, so that it is searched about twice. */
function skipPlain(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let size = WINDOW_BYTES; at < bytes.length; size = Math.min(2 * size, 1 << 16)) {
    const window = bytes.subarray(at, at + size);
    if (window.includes(BACKSLASH) || window.includes(QUOTE)) return at;
    at += window.length;
  }
  return at;
}
