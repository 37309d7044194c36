// What an API answers, as a tool's result or failure. Secrets that it sends back are hidden.
import { isUtf8 } from "node:buffer";
import {
  JsonLimitError,
  type JsonValue,
  output,
  parseBoundedJson,
  RESULT_JSON,
  ToolError,
  type ToolValue,
} from "../../../toolkit-cli/index.ts";
import type { SecretValues } from "./credentials/secret-values.ts";
import { isJsonType } from "./operation.ts";
import { isText } from "./operation-input.ts";
import { readLimited } from "./read-limited.ts";
import { isStream, streamLines } from "./stream-lines.ts";

/** A tool's result has this limit as well. */
export const RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;
const ERROR_LIMIT_BYTES = 64 * 1024;
const ERROR_CHARACTERS = 2000;

export interface Answer {
  /** Undefined where there is no body. */
  readonly value: ToolValue | undefined;
  /** In its place, what comes bit by bit. */
  readonly stream?: AsyncGenerator<string>;
  readonly headers: Headers;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly hasCredentials: boolean;
}

/** Fails with a ToolError "failed" for any status but success. */
export async function readAnswer(
  response: Response,
  asked: Asked,
  values: SecretValues,
): Promise<Answer> {
  const { headers } = response;
  if (!response.ok) throw await failureOf(response, asked, values);
  if (asked.method === "HEAD")
    return { value: { kind: "json", json: shownHeaders(headers, values) }, headers };
  if (response.body !== null && isStream(headers)) {
    return { value: undefined, stream: streamLines(response.body, values), headers };
  }
  const bytes = await readLimited(response.body, RESPONSE_LIMIT_BYTES);
  if (bytes === undefined) {
    throw new ToolError(
      "failed",
      `${asked.method} ${asked.path} answers with more than ${RESPONSE_LIMIT_BYTES} bytes, the limit. Ask for less.`,
    );
  }
  return { value: bytes.length === 0 ? undefined : valueOf(bytes, headers, values), headers };
}

/** How a handler returns it. */
export function toResult({ value, stream }: Pick<Answer, "value" | "stream">): unknown {
  return value === undefined ? stream : output(value);
}

function valueOf(bytes: Uint8Array, headers: Headers, values: SecretValues): ToolValue {
  const type = headers.get("content-type") ?? "";
  if (isJsonType(type)) {
    const text = values.hide(new TextDecoder().decode(bytes));
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came out of JSON.parse
      return { kind: "json", json: parseBoundedJson(text, RESULT_JSON) as JsonValue };
    } catch (error) {
      if (error instanceof JsonLimitError)
        throw new ToolError("failed", `The answer: ${error.message}`);
      // It says it is JSON and is not: the caller sees what it is.
      return { kind: "text", text };
    }
  }
  if (isText(type) || isPlainText(type, bytes)) {
    return { kind: "text", text: values.hide(new TextDecoder().decode(bytes)) };
  }
  const mimeType = type.split(";")[0]?.trim() ?? "";
  const base64 = Buffer.from(bytes).toString("base64");
  return { kind: "bytes", base64, ...(mimeType === "" ? {} : { mimeType }) };
}

/** Without a type, text is what looks like it. */
function isPlainText(type: string, bytes: Uint8Array): boolean {
  if (/^application\/(javascript|x-www-form-urlencoded|jwt)\b/i.test(type)) return true;
  return type === "" && isUtf8(bytes);
}

async function failureOf(
  response: Response,
  { method, path, hasCredentials }: Asked,
  values: SecretValues,
): Promise<ToolError> {
  const bytes = await readLimited(response.body, ERROR_LIMIT_BYTES).catch(() => undefined);
  const said = values.hide(new TextDecoder().decode(bytes ?? new Uint8Array())).trim();
  const status = `${response.status} ${response.statusText}`.trim();
  const cut = said.length > ERROR_CHARACTERS ? `${said.slice(0, ERROR_CHARACTERS)}…` : said;
  const words = isTextAnswer(response.headers) && cut !== "" ? `: ${cut}` : "";
  return new ToolError(
    "failed",
    `${method} ${path} answers ${status}${remedy(response.status, hasCredentials)}${words}`,
  );
}

function isTextAnswer(headers: Headers): boolean {
  const type = headers.get("content-type") ?? "text/plain";
  return isJsonType(type) || isText(type);
}

function remedy(status: number, hasCredentials: boolean): string {
  if (status !== 401 && status !== 403) return "";
  return hasCredentials
    ? " (the credentials of this toolkit are refused; they are the operator's to put right)"
    : " (this toolkit has no credentials for it; the operator gives them by auth)";
}

/** Cookies are credentials, too. */
function shownHeaders(headers: Headers, values: SecretValues): { [name: string]: string } {
  const shown = [...headers].filter(([name]) => name !== "set-cookie");
  return Object.fromEntries(shown.map(([name, value]) => [name, values.hide(value)]));
}
