// A request's body: JSON, forms, text or bytes.
import { type JsonValue, ToolError } from "../../../toolkit-cli/index.ts";
import { isObject } from "./document.ts";
import { isFormType, isJsonType, isMultipart, type RequestBody } from "./operation.ts";
import { isText, type PlacedBody } from "./operation-input.ts";
import { serializePairs, textOf } from "./serialize-parameter.ts";

export interface Body {
  readonly content: string | Uint8Array<ArrayBuffer> | FormData | undefined;
  /** Undefined where the content says it itself, or there is none. */
  readonly mediaType: string | undefined;
}

type Values = Readonly<Record<string, JsonValue>>;

export function serializeBody(placed: PlacedBody | undefined, values: Values): Body {
  const value = placed === undefined ? undefined : takeBody(placed, values);
  if (placed === undefined || value === undefined)
    return { content: undefined, mediaType: undefined };
  const { body } = placed;
  const { mediaType } = body;
  if (isJsonType(mediaType)) return { content: JSON.stringify(value), mediaType };
  if (isFormType(mediaType)) return { content: formOf(body, value), mediaType };
  if (isMultipart(mediaType)) return { content: partsOf(placed, value), mediaType: undefined };
  const sent = mediaType.includes("*") ? "application/octet-stream" : mediaType;
  return { content: isText(mediaType) ? textOf(value) : bytesOf("body", value), mediaType: sent };
}

function takeBody({ body, from }: PlacedBody, values: Values): JsonValue | undefined {
  if ("property" in from)
    return Object.hasOwn(values, from.property) ? values[from.property] : undefined;
  const entries = from.properties.flatMap((name): [string, JsonValue][] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return entries.length === 0 && !body.isRequired ? undefined : Object.fromEntries(entries);
}

function formOf(body: RequestBody, value: JsonValue): string {
  const pairs = entriesOf(value).flatMap(([name, item]) => {
    const encoding = encodingOf(body, name);
    if (encoding.style === undefined && isObject(item)) {
      return serializePairs(name, JSON.stringify(item), { style: "form", explode: true });
    }
    const { style = "form", explode = true } = encoding;
    return serializePairs(name, item, { style, explode });
  });
  return pairs.map((pair) => pair.join("=")).join("&");
}

function partsOf(placed: PlacedBody, value: JsonValue): FormData {
  const form = new FormData();
  for (const [name, item] of entriesOf(value)) {
    for (const part of Array.isArray(item) ? item : [item]) addPart(form, { placed, name, part });
  }
  return form;
}

interface Part {
  readonly placed: PlacedBody;
  readonly name: string;
  readonly part: JsonValue;
}

function addPart(form: FormData, { placed, name, part }: Part): void {
  const { contentType } = encodingOf(placed.body, name);
  if (placed.files.has(name)) {
    const type = contentType === undefined || contentType.includes("*") ? undefined : contentType;
    form.append(
      name,
      new Blob([bytesOf(name, part)], { type: type ?? "application/octet-stream" }),
      name,
    );
  } else if (isObject(part) || contentType !== undefined) {
    const text = isObject(part) ? JSON.stringify(part) : textOf(part);
    form.append(name, new Blob([text], { type: contentType ?? "application/json" }));
  } else {
    form.append(name, textOf(part));
  }
}

interface Encoding {
  readonly style?: string;
  readonly explode?: boolean;
  readonly contentType?: string;
}

function encodingOf(body: RequestBody, name: string): Encoding {
  const encoding = Object.hasOwn(body.encoding, name) ? body.encoding[name] : undefined;
  if (!isObject(encoding)) return {};
  const { style, explode, contentType } = encoding;
  return {
    ...(typeof style === "string" ? { style } : {}),
    ...(typeof explode === "boolean" ? { explode } : {}),
    ...(typeof contentType === "string" ? { contentType } : {}),
  };
}

function entriesOf(value: JsonValue): [string, JsonValue][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function bytesOf(name: string, value: JsonValue): Uint8Array<ArrayBuffer> {
  const text = textOf(value);
  // No two repetitions beside each other take the same characters: blanks would take the thread for ever.
  if (/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text))
    return Uint8Array.from(Buffer.from(text, "base64"));
  const message = "must be base64";
  throw new ToolError("usage", `${name}: ${message}.`, { issues: [{ path: [name], message }] });
}
