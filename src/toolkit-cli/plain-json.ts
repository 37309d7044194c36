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
    return copy.value(value, []) ?? null;
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
  /** The objects that contain the one at hand. */
  readonly #around = new Set<object>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** undefined for what JSON has no word for: functions, symbols, undefined. */
  value(value: unknown, path: Path): JsonValue | undefined {
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
        return this.#object(value, path);
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

  #object(value: object | null, path: Path): JsonValue | undefined {
    if (value === null) {
      this.#charge(4);
      return null;
    }
    if (this.#around.has(value)) {
      throw new ToolError("failed", `The tool's result contains itself at ${showPath(path)}.`);
    }
    if (path.length > DEPTH_LIMIT) {
      throw new ToolError(
        "failed",
        `The tool's result is nested deeper than ${DEPTH_LIMIT} levels.`,
      );
    }
    this.#around.add(value);
    const copied = this.#contents(value, path);
    this.#around.delete(value);
    return copied;
  }

  #contents(value: object, path: Path): JsonValue | undefined {
    if (Array.isArray(value)) return this.#items(value, path);
    if (ArrayBuffer.isView(value)) return this.#view(value);
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return this.value(value.toJSON(path.at(-1) ?? ""), path);
    }
    if (value instanceof Map) return this.#map(value, path);
    if (value instanceof Set) return this.#items(value, path);
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return this.value(value.valueOf(), path);
    }
    if (value instanceof Error) {
      return this.#entries(Object.entries({ name: value.name, message: value.message }), path);
    }
    return this.#entries(readEntries(value), path);
  }

  #items(items: Iterable<unknown>, path: Path): JsonValue[] {
    const copied: JsonValue[] = [];
    let position = 0;
    for (const item of items) {
      this.#charge(1);
      copied.push(this.value(item, [...path, position]) ?? null);
      position += 1;
    }
    return copied;
  }

  #view(view: ArrayBufferView): string {
    this.#charge(Math.ceil(view.byteLength / 3) * 4);
    return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("base64");
  }

  #map(map: ReadonlyMap<unknown, unknown>, path: Path): JsonValue {
    const entries = [...map];
    const named = entries.filter(
      (entry): entry is [string, unknown] => typeof entry[0] === "string",
    );
    if (named.length < entries.length) return this.#items(entries, path);
    return this.#entries(named, path);
  }

  #entries(entries: Iterable<readonly [string, unknown]>, path: Path): JsonValue {
    this.#charge(2);
    const copied: [string, JsonValue][] = [];
    for (const [key, value] of entries) {
      const plain = this.value(value, [...path, key]);
      if (plain === undefined) continue;
      this.#text(key);
      copied.push([key, plain]);
    }
    // fromEntries defines properties: a key "__proto__" is a key like any other.
    return Object.fromEntries(copied);
  }

  #charge(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limitBytes) throw resultTooLarge(this.#limitBytes);
  }
}

/** One after the other, so that a getter's large answers are counted before the next one runs. */
function* readEntries(value: object): Generator<[string, unknown]> {
  for (const key of Object.keys(value)) yield [key, Reflect.get(value, key)];
}

function showPath(path: Path): string {
  return path.length === 0 ? "its root" : path.join(".");
}
