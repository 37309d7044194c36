/** An input as the person sees it who decides on it: all of it. Only what the schema marks as secret is masked. */
import { createHash } from "node:crypto";
import { REQUEST_JSON } from "./bounded-json.ts";
import { isJsonArray } from "./flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "./json-schema.ts";
import { SchemaPlace } from "./schema-secrets.ts";
import { ToolError } from "./tool-event.ts";
import { visibleText } from "./visible-text.ts";

export interface ShownInput {
  /**
   * JSON on several lines, hidden characters made visible. What stands outside of quotes in `<…>` is ours: the length
   * and the hash of a secret, and of a text that is long.
   */
  readonly text: string;
  /** Whether something is masked. */
  readonly hasSecrets: boolean;
}

/** Texts of more have their length and hash beside them: nobody compares them by eye. */
const LONG_CHARACTERS = 500;
const { depth: DEPTH_LIMIT } = REQUEST_JSON;
/** Lists of no more numbers and texts stay on one line. */
const SCALARS_ON_A_LINE = 10;

/** Fails with a ToolError where the input is too deep to be shown. */
export function showInput(schema: JsonSchema, input: JsonValue): ShownInput {
  const parts = new Parts();
  parts.write(SchemaPlace.ofInput(schema), input, 0);
  return { text: parts.text, hasSecrets: parts.hasSecrets };
}

/** As `sha256sum` prints it. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

class Parts {
  hasSecrets = false;
  readonly #parts: string[] = [];

  get text(): string {
    return this.#parts.join("");
  }

  write(place: SchemaPlace, value: JsonValue, depth: number): void {
    if (depth > DEPTH_LIMIT) {
      throw new ToolError(
        "usage",
        `The input is nested deeper than ${DEPTH_LIMIT} levels: nobody can be asked to approve it.`,
      );
    }
    if (place.isSecret) this.#mask(value);
    else if (typeof value === "string") this.#parts.push(showString(value));
    else if (typeof value !== "object" || value === null) this.#parts.push(String(value));
    else if (isJsonArray(value)) this.#writeItems(place, value, depth);
    else this.#writeProperties(place, value, depth);
  }

  #mask(value: JsonValue): void {
    this.hasSecrets = true;
    this.#parts.push(`<secret: ${measure(value)}>`);
  }

  #writeItems(place: SchemaPlace, items: readonly JsonValue[], depth: number): void {
    const isShort = items.length <= SCALARS_ON_A_LINE && items.every(isScalar);
    this.#surround("[]", items.length, isShort ? undefined : depth, (at) =>
      this.write(place.item(at), items[at] ?? null, depth + 1),
    );
  }

  #writeProperties(
    place: SchemaPlace,
    value: { readonly [key: string]: JsonValue },
    depth: number,
  ): void {
    const entries = Object.entries(value);
    this.#surround("{}", entries.length, depth, (at) => {
      const [key, part] = entries[at] ?? ["", null];
      this.#parts.push(`${showString(key)}: `);
      this.write(place.property(key), part, depth + 1);
    });
  }

  /** Each part on a line of its own, unless there is no depth. */
  #surround(
    signs: "[]" | "{}",
    count: number,
    depth: number | undefined,
    write: (at: number) => void,
  ): void {
    const [open, close] = [signs.slice(0, 1), signs.slice(1)];
    const line = (levels: number): string =>
      depth === undefined ? "" : `\n${"  ".repeat(levels)}`;
    this.#parts.push(open);
    for (let at = 0; at < count; at++) {
      if (at > 0) this.#parts.push(depth === undefined ? ", " : ",");
      this.#parts.push(line((depth ?? 0) + 1));
      write(at);
    }
    if (count > 0) this.#parts.push(line(depth ?? 0));
    this.#parts.push(close);
  }
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function showString(value: string): string {
  const shown = visibleText(JSON.stringify(value));
  return value.length > LONG_CHARACTERS ? `${shown} <${measure(value)}>` : shown;
}

/** A text by itself, anything else as JSON. */
function measure(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${text.length} characters, SHA-256 ${sha256(text)}`;
}
