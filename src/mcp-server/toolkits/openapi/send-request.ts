// Sends a request: credentials, redirects, retries. Only the API's own origin ever sees credentials.
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../../toolkit-cli/index.ts";
import type { ApiRequest } from "./build-request.ts";
import type { Credentials } from "./credentials/credentials.ts";

export interface Sending {
  readonly base: URL;
  /** Where redirects may lead, beside the API itself. */
  readonly origins: ReadonlySet<string>;
  readonly credentials: Credentials;
  readonly schemes: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Tells the caller why it waits. */
  readonly progress: (message: string) => void;
}

const REDIRECTS = 5;
const TRIES = 4;
/** A longer wait is the caller's to decide. */
const RETRY_AFTER_LIMIT_MS = 30_000;
const FIRST_WAIT_MS = 500;
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/** The API's last answer, whatever its status. Fails where it cannot be reached or leads elsewhere. */
export async function sendRequest(request: ApiRequest, sending: Sending): Promise<Response> {
  let hasRenewed = false;
  for (let attempt = 1; ; attempt++) {
    const response = await follow(request, sending);
    if (response.status === 401 && !hasRenewed && sending.credentials.renew(sending.schemes)) {
      hasRenewed = true;
      await response.body?.cancel();
      continue;
    }
    const waitMs = retryWait(request.method, response, attempt);
    if (waitMs === undefined) return response;
    await response.body?.cancel();
    sending.progress(`The API answers ${response.status}; trying again in ${waitMs} ms`);
    await sleep(waitMs, undefined, { signal: sending.signal });
  }
}

function retryWait(method: string, response: Response, attempt: number): number | undefined {
  const isBusy = response.status === 429 || response.status === 503;
  if (!isBusy || attempt >= TRIES || !IDEMPOTENT.has(method)) return undefined;
  const waitMs = retryAfterMs(response.headers.get("retry-after"));
  if (waitMs === undefined) return FIRST_WAIT_MS * 2 ** (attempt - 1);
  return waitMs <= RETRY_AFTER_LIMIT_MS ? waitMs : undefined;
}

/** Seconds or a date, see RFC 9110 §10.2.3; undefined where it is neither. */
export function retryAfterMs(value: string | null, now: number = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

async function follow(request: ApiRequest, sending: Sending): Promise<Response> {
  let current = request;
  for (let redirects = 0; ; redirects++) {
    const response = await sendOnce(current, sending);
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    if (redirects >= REDIRECTS) {
      throw new ToolError("failed", `The API redirects more than ${REDIRECTS} times.`);
    }
    current = redirected(current, response.status, { location, sending });
  }
}

/** As fetch does it, but nowhere that the operator has not named. */
function redirected(
  request: ApiRequest,
  status: number,
  { location, sending }: { readonly location: string; readonly sending: Sending },
): ApiRequest {
  const url = URL.parse(location, request.url);
  if (url === null || (url.origin !== sending.base.origin && !sending.origins.has(url.origin))) {
    throw new ToolError(
      "failed",
      `The API redirects to ${url?.origin ?? "no address"}, which is not followed. The operator may allow it by origins.`,
    );
  }
  const headers = new Headers(request.headers);
  const turnsToGet =
    status === 303 ? request.method !== "HEAD" : status < 303 && request.method === "POST";
  if (!turnsToGet) return { ...request, url, headers };
  headers.delete("content-type");
  return { method: "GET", url, headers, body: undefined };
}

async function sendOnce(request: ApiRequest, sending: Sending): Promise<Response> {
  const { base, credentials, schemes, signal } = sending;
  const isOwn = request.url.origin === base.origin;
  const url = new URL(request.url);
  const headers = isOwn ? new Headers(request.headers) : foreignHeaders(request.headers);
  if (isOwn) await credentials.put(schemes, { url, headers });
  const { method, body } = request;
  try {
    return await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    signal.throwIfAborted();
    const why = codeOf(error);
    throw new ToolError("unavailable", `The API at ${url.origin} cannot be reached${why}.`, {
      cause: error,
    });
  }
}

/** Another origin learns what is asked for, and nothing of who asks. */
function foreignHeaders(own: Headers): Headers {
  const kept = ["accept", "content-type", "user-agent"];
  return new Headers([...own].filter(([name]) => kept.includes(name)));
}

function codeOf(error: unknown): string {
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < 4;
    cause = cause.cause, depth++
  ) {
    if ("code" in cause && typeof cause.code === "string") return ` (${cause.code})`;
  }
  return "";
}
