// One call of an operation: build, send, read; all pages where they are asked for.
import { type JsonValue, type ToolContext, toKebabCase } from "../../../toolkit-cli/index.ts";
import { type ApiRequest, buildRequest, type RequestPlan, valuesOf } from "./build-request.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { SecretValues } from "./credentials/secret-values.ts";
import { findNextPage, itemsOf, type NextPage, type Pagination } from "./next-page.ts";
import { ALL } from "./operation-input.ts";
import { type Answer, RESPONSE_LIMIT_BYTES, readAnswer, toResult } from "./read-response.ts";
import { sendRequest } from "./send-request.ts";

export interface OperationCall extends RequestPlan {
  readonly origins: ReadonlySet<string>;
  readonly credentials: Credentials;
  readonly values: SecretValues;
  readonly pagination: Pagination | undefined;
}

const PAGES = 100;

/** The API's answer; a page that is not the last says how to get the next one. */
export async function callOperation(
  call: OperationCall,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const values = valuesOf(input);
  const request = buildRequest(call, values);
  const answer = await ask(call, request, context);
  const next = nextOf(call, request, answer);
  if (next === undefined) return toResult(answer);
  if (call.input.hasAll && values[ALL] === true) {
    return await askAll(call, { request, answer, next }, context);
  }
  hintAt(call, next, context);
  return toResult(answer);
}

interface FirstPage {
  readonly request: ApiRequest;
  readonly answer: Answer;
  readonly next: NextPage;
}

/** The items of all pages as one list; of more pages than the limit, those within it. */
async function askAll(
  call: OperationCall,
  first: FirstPage,
  context: ToolContext,
): Promise<unknown> {
  const at = call.pagination?.items;
  const items = [...(itemsOf(bodyOf(first.answer), at) ?? [])];
  if (items.length === 0) return toResult(first.answer);
  const seen = new Set([first.request.url.href]);
  let next: NextPage | undefined = first.next;
  let bytes = sizeOf(first.answer);
  for (let page = 2; next !== undefined && !seen.has(next.url.href); page++) {
    if (page > PAGES || bytes > RESPONSE_LIMIT_BYTES / 2) {
      context.hint(`These are the first ${page - 1} pages, the limit`);
      hintAt(call, next, context);
      break;
    }
    seen.add(next.url.href);
    context.progress(`Page ${page}`, page);
    const request: ApiRequest = { ...first.request, url: next.url };
    const answer = await ask(call, request, context);
    const more = itemsOf(bodyOf(answer), at) ?? [];
    items.push(...more);
    bytes += sizeOf(answer);
    next = more.length === 0 ? undefined : nextOf(call, request, answer);
  }
  return toResult({ value: { kind: "json", json: items } });
}

async function ask(
  call: OperationCall,
  request: ApiRequest,
  context: ToolContext,
): Promise<Answer> {
  const { base, origins, credentials, operation, values } = call;
  const { schemes, method, path } = operation;
  const { signal } = context;
  const progress = (message: string): void => context.progress(message);
  const response = await sendRequest(request, {
    base,
    origins,
    credentials,
    schemes,
    signal,
    progress,
  });
  return await readAnswer(
    response,
    { method, path, hasCredentials: credentials.has(schemes) },
    values,
  );
}

function nextOf(call: OperationCall, request: ApiRequest, answer: Answer): NextPage | undefined {
  if (request.method !== "GET") return undefined;
  const { base, input, pagination } = call;
  const { parameters } = input;
  return findNextPage({
    base,
    url: request.url,
    headers: answer.headers,
    body: bodyOf(answer),
    parameters,
    pagination,
  });
}

function hintAt(call: OperationCall, next: NextPage, context: ToolContext): void {
  if (next.values.size === 0) return;
  const flags = [...next.values].map(
    ([name, value]) => `--${toKebabCase(name)} ${quoted(call.values.hide(value))}`,
  );
  const all = call.input.hasAll ? `, or --${ALL} for every page` : "";
  context.hint(`There is more: add ${flags.join(" ")}${all}`);
}

/** As a shell takes it. */
function quoted(value: string): string {
  return /^[\w.,:/=+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function bodyOf({ value }: Answer): JsonValue | undefined {
  return value?.kind === "json" ? value.json : undefined;
}

function sizeOf({ value }: Answer): number {
  return value?.kind === "json" ? JSON.stringify(value.json).length : 0;
}
