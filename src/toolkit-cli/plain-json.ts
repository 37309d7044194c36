/**
 * Anything a handler returns, copied into plain JSON. Bytes are counted on the way, so nothing much larger
 * than the limit is ever built. It follows JSON.stringify, and goes on where that fails or loses data: a Map
 * becomes an object (or pairs), a Set an array, a BigInt a number or digits, bytes base64, an Error its name
 * and message.
 */
import type { JsonValue } from "./json-schema.ts";
import { ToolError } from "./tool-event.ts";

/** Deeper results are refused: they are endless more often than real. */
const DEPTH_LIMIT = 200;

/** Throws a ToolError "failed" where `value` is too large, contains itself or cannot be read. */
export function toPlainJson(value: unknown, limitBytes: number): JsonValue {
  const copy = new Copy(limitBytes);
  try {
    return copy.value(value) ?? null;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError("failed", "The tool's result cannot be read as data.", { cause: error });
  }
}

export function resultTooLarge(limitBytes: number): ToolError {
  return new ToolError(
    "failed",
    `The tool's result is larger than ${describeBytes(limitBytes)}. Ask for less at a time.`,
  );
}

function describeBytes(bytes: number): string {
  const mib = bytes / 1024 / 1024;
  return Number.isInteger(mib) ? `${mib} MiB` : `${bytes} bytes`;
}

type Path = readonly (string | number)[];

class Copy {
  readonly #limitBytes: number;
  #bytes = 0;
  /** The objects that contain the one at hand, and where in them it is. */
  readonly #around: object[] = [];
  readonly #path: (string | number)[] = [];

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** undefined for what JSON has no word for: functions, symbols, undefined. */
  value(value: unknown): JsonValue | undefined {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        this.#charge(8);
        return Number.isFinite(value) ? value : null;
      case "boolean":
        this.#charge(5);
        return value;
      case "bigint":
        return this.#bigint(value);
      case "object":
        return this.#object(value);
      default:
        return undefined;
    }
  }

  #text(text: string): string {
    // Every UTF-16 unit is at least one byte of JSON; the exact count matters near the limit only.
    this.#charge(2 + text.length);
    return text;
  }

  #bigint(value: bigint): JsonValue {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    return this.#text(value.toString());
  }

  #object(value: object | null): JsonValue | undefined {
    if (value === null) {
      this.#charge(4);
      return null;
    }
    if (this.#around.includes(value)) {
      const place = showPath(this.#path);
      throw new ToolError("failed", `The tool's result contains itself at ${place}.`);
    }
    if (this.#around.length > DEPTH_LIMIT) {
      throw new ToolError(
        "failed",
        `The tool's result is nested deeper than ${DEPTH_LIMIT} levels.`,
      );
    }
    this.#around.push(value);
    const copied = this.#contents(value);
    this.#around.pop();
    return copied;
  }

  #contents(value: object): JsonValue | undefined {
    if (Array.isArray(value)) return this.#items(value);
    if (ArrayBuffer.isView(value)) return this.#view(value);
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return this.value(value.toJSON(this.#path.at(-1) ?? ""));
    }
    // Most are plain: what follows asks of each object seven times what it is.
    if (Object.getPrototypeOf(value) === Object.prototype) return this.#properties(value);
    if (value instanceof Map) return this.#map(value);
    if (value instanceof Set) return this.#items(value);
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return this.value(value.valueOf());
    }
    if (value instanceof Error) {
      return this.#entries(Object.entries({ name: value.name, message: value.message }));
    }
    return this.#properties(value);
  }

  #items(items: Iterable<unknown>): JsonValue[] {
    const copied: JsonValue[] = [];
    for (const item of items) {
      this.#charge(1);
      this.#path.push(copied.length);
      copied.push(this.value(item) ?? null);
      this.#path.pop();
    }
    return copied;
  }

  #view(view: ArrayBufferView): string {
    this.#charge(Math.ceil(view.byteLength / 3) * 4);
    return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("base64");
  }

  #map(map: ReadonlyMap<unknown, unknown>): JsonValue {
    const entries = [...map];
    const named = entries.filter(
      (entry): entry is [string, unknown] => typeof entry[0] === "string",
    );
    if (named.length < entries.length) return this.#items(entries);
    return this.#entries(named);
  }

  #entries(entries: Iterable<readonly [string, unknown]>): JsonValue {
    this.#charge(2);
    const copied: Record<string, JsonValue> = {};
    for (const [key, value] of entries) this.#property(copied, key, value);
    return copied;
  }

  /** One after the other, so that a getter's large answers are counted before the next one runs. */
  #properties(object: object): JsonValue {
    this.#charge(2);
    const copied: Record<string, JsonValue> = {};
    for (const key of Object.keys(object)) this.#property(copied, key, Reflect.get(object, key));
    return copied;
  }

  #property(copied: Record<string, JsonValue>, key: string, value: unknown): void {
    this.#path.push(key);
    const plain = this.value(value);
    this.#path.pop();
    if (plain === undefined) return;
    this.#text(key);
    // A key "__proto__" is a key like any other.
    if (key === "__proto__") defineOwn(copied, key, plain);
    else copied[key] = plain;
  }

  #charge(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limitBytes) throw resultTooLarge(this.#limitBytes);
  }
}

function defineOwn(object: object, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function showPath(path: Path): string {
  return path.length === 0 ? "its root" : path.join(".");
}
