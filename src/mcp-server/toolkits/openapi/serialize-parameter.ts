// Parameters as OpenAPI's styles write them, percent-encoded.
import type { JsonValue } from "../../../toolkit-cli/index.ts";

export interface Style {
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved?: boolean;
}

type Pair = readonly [name: string, value: string];

const NESTING = 8;

/** A query parameter, or a field of a form, as encoded pairs; none where there is nothing to send. */
export function serializePairs(name: string, value: JsonValue, style: Style): Pair[] {
  const encode = style.allowReserved === true ? encodeAlmost : encodeURIComponent;
  if (style.style === "deepObject" && isNested(value))
    return deepPairs(encodeURIComponent(name), value, 0);
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(textOf(item)));
    if (style.explode) return items.map((item) => [encodeURIComponent(name), item]);
    return [[encodeURIComponent(name), items.join(delimiterOf(style.style))]];
  }
  if (!isNested(value)) return [[encodeURIComponent(name), encode(textOf(value))]];
  const entries = Object.entries(value).map(
    ([key, item]): Pair => [encodeURIComponent(key), encode(textOf(item))],
  );
  if (style.explode) return entries;
  return [[encodeURIComponent(name), entries.flat().join(delimiterOf(style.style))]];
}

/** A path parameter: `simple`, `label` or `matrix`. */
export function serializePath(name: string, value: JsonValue, { style, explode }: Style): string {
  const items = segmentItems(value, explode);
  if (style === "label") return `.${items.join(explode ? "." : ",")}`;
  if (style !== "matrix") return items.join(",");
  const key = encodeURIComponent(name);
  if (!explode || !isNested(value)) return `;${key}=${items.join(",")}`;
  return items.map((item) => (Array.isArray(value) ? `;${key}=${item}` : `;${item}`)).join("");
}

/** A header's value, which is not percent-encoded; line breaks are for the caller to refuse. */
export function serializeHeader(value: JsonValue, { explode }: Style): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (!isNested(value)) return textOf(value);
  const entries = Object.entries(value).map(([key, item]) => [key, textOf(item)]);
  return entries.map((entry) => entry.join(explode ? "=" : ",")).join(",");
}

/** A value as text: strings as they are, null as nothing, the rest as JSON. */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

function isNested(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null;
}

function segmentItems(value: JsonValue, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map((item) => encodeURIComponent(textOf(item)));
  if (!isNested(value)) return [encodeURIComponent(textOf(value))];
  const entries = Object.entries(value).map(([key, item]) => [
    encodeURIComponent(key),
    encodeURIComponent(textOf(item)),
  ]);
  return explode ? entries.map((entry) => entry.join("=")) : entries.flat();
}

function deepPairs(prefix: string, value: JsonValue, depth: number): Pair[] {
  if (!isNested(value) || depth > NESTING) return [[prefix, encodeURIComponent(textOf(value))]];
  const isArray = Array.isArray(value);
  return Object.entries(value).flatMap(([key, item]) =>
    deepPairs(`${prefix}[${isArray ? key : encodeURIComponent(key)}]`, item, depth + 1),
  );
}

function delimiterOf(style: string): string {
  if (style === "spaceDelimited") return "%20";
  return style === "pipeDelimited" ? "%7C" : ",";
}

/** Reserved characters stay, but for those that would begin another parameter or the fragment. */
function encodeAlmost(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(3A|2F|3F|40|24|2C|3B|5B|5D)/g, (escape) =>
    decodeURIComponent(escape),
  );
}
