// An OpenAPI document: read, parsed and looked into. Nothing in it is believed.
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { ToolError } from "../../../toolkit-cli/index.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readLimited } from "./read-limited.ts";

export type JsonObject = { readonly [key: string]: unknown };

export interface OpenapiDocument {
  readonly root: JsonObject;
  /** Whether schemas are OpenAPI 3.0's own dialect rather than JSON Schema's. */
  readonly isDialect30: boolean;
  /** Where it was fetched from; undefined for a file. */
  readonly url: URL | undefined;
}

/** GitHub's, among the largest there are, takes 12 MB. */
const JSON_LIMIT_BYTES = 32 * 1024 * 1024;
/** YAML takes ten times as long as JSON. */
const YAML_LIMIT_BYTES = 16 * 1024 * 1024;
const FETCH_LIMIT_MS = 20_000;
const REF_STEPS = 32;

/** The document at a path or an http(s) URL. Fails with a ToolError "unavailable" that says what to do. */
export async function loadDocument(place: string, signal?: AbortSignal): Promise<OpenapiDocument> {
  const url = /^https?:\/\//i.test(place) ? new URL(place) : undefined;
  const name = url === undefined ? basename(place) : url.origin + url.pathname;
  const bytes =
    url === undefined ? await readDocumentFile(place, name) : await fetchDocument(url, signal);
  const root = await parse(bytes, name);
  return { root, isDialect30: checkVersion(root, name), url };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A value, or what its `$ref` points at; undefined where that is nowhere in the document. */
export function dereference(document: OpenapiDocument, value: unknown): unknown {
  let current = value;
  for (let step = 0; step < REF_STEPS; step++) {
    if (!isObject(current)) return current;
    const ref = current["$ref"];
    if (typeof ref !== "string") return current;
    current = findRef(document, ref);
  }
  return undefined;
}

/** What a local reference points at; undefined for one that leads nowhere or out of the document. */
export function findRef(document: OpenapiDocument, ref: string): unknown {
  if (ref === "#") return document.root;
  if (!ref.startsWith("#/")) return undefined;
  let current: unknown = document.root;
  for (const step of ref.slice(2).split("/")) {
    const key = decodeStep(step);
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

function decodeStep(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    // A stray % is part of the name.
    return plain;
  }
}

async function readDocumentFile(path: string, name: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > JSON_LIMIT_BYTES) throw tooLarge(name, JSON_LIMIT_BYTES);
    return await readFile(path);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw unavailable(`The OpenAPI document ${name} cannot be read (${code}).`, error);
  }
}

async function fetchDocument(url: URL, signal?: AbortSignal): Promise<Uint8Array> {
  const name = url.origin + url.pathname;
  const limit = AbortSignal.timeout(FETCH_LIMIT_MS);
  const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const response = await fetch(url, { redirect: "manual", signal: until });
    if (response.status !== 200) {
      await response.body?.cancel();
      const location = response.headers.get("location");
      const words = location === null ? "" : ", which leads elsewhere: set openapi to that address";
      throw unavailable(`The OpenAPI document ${name} answers ${response.status}${words}.`);
    }
    const bytes = await readLimited(response.body, JSON_LIMIT_BYTES);
    if (bytes === undefined) throw tooLarge(name, JSON_LIMIT_BYTES);
    return bytes;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw unavailable(`The OpenAPI document ${name} cannot be fetched.`, error);
  }
}

async function parse(bytes: Uint8Array, name: string): Promise<JsonObject> {
  const text = new TextDecoder().decode(bytes);
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  const root = value ?? (await readYaml(text, name));
  if (isObject(root)) return root;
  throw unavailable(`${name} is no OpenAPI document: it holds no object.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A flow mapping of YAML begins like JSON.
    return undefined;
  }
}

async function readYaml(text: string, name: string): Promise<unknown> {
  if (text.length > YAML_LIMIT_BYTES) {
    throw unavailable(
      `${name} has more than ${YAML_LIMIT_BYTES} bytes of YAML, the limit. Convert it to JSON.`,
    );
  }
  try {
    return await parseYaml(text);
  } catch (error) {
    const words = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw unavailable(`${name} is neither JSON nor YAML: ${words}`, error);
  }
}

function checkVersion(root: JsonObject, name: string): boolean {
  const version = root["openapi"];
  if (typeof version === "string" && /^3\.0(\.|$)/.test(version)) return true;
  if (typeof version === "string" && /^3\.[12](\.|$)/.test(version)) return false;
  if (root["swagger"] !== undefined) {
    throw unavailable(
      `${name} is Swagger ${JSON.stringify(root["swagger"]).slice(0, 10)}; only OpenAPI 3 is taken. Convert it, for example by npx swagger2openapi.`,
    );
  }
  throw unavailable(
    `${name} is no OpenAPI document: its "openapi" says ${JSON.stringify(version)?.slice(0, 40) ?? "nothing"}, not 3.0 or 3.1.`,
  );
}

function tooLarge(name: string, limit: number): ToolError {
  return unavailable(`The OpenAPI document ${name} has more than ${limit} bytes, the limit.`);
}

function unavailable(message: string, cause?: unknown): ToolError {
  return new ToolError("unavailable", message, cause === undefined ? {} : { cause });
}
