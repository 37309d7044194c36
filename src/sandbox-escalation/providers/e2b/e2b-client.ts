// E2B's own library, a peer that operators install if they want it; loaded when it is first needed.
import type { NotFoundError, Sandbox } from "e2b";
import { z } from "zod";
import { SandboxError, type SandboxErrorCode } from "../../provider.ts";

/** What of it is used. */
export interface E2bLibrary {
  readonly NotFoundError: typeof NotFoundError;
  readonly Sandbox: typeof Sandbox;
}

/** How E2B is reached: the operator's. */
export interface E2bAccess {
  readonly apiKey: string;
  /** Elsewhere than E2B's own cloud. */
  readonly apiUrl?: string;
  readonly sandboxUrl?: string;
}

/** For the library's calls. Its debug mode, which a variable could switch on, asks nobody and says yes. */
export function e2bOptions(access: E2bAccess, signal?: AbortSignal) {
  return { ...access, debug: false, ...(signal === undefined ? {} : { signal }) };
}

/** Undefined where it is not installed. */
export async function findE2bLibrary(): Promise<E2bLibrary | undefined> {
  try {
    const library = await import("e2b");
    return { NotFoundError: library.NotFoundError, Sandbox: library.Sandbox };
  } catch {
    // Not installed, or not for this Node: the probe says how to have it.
    return undefined;
  }
}

/** What went wrong, in words that never hold the key. */
export function describeE2bFailure(error: unknown, access: E2bAccess): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll(access.apiKey, "…").replace(/\s+/g, " ");
  return `E2B: ${line.slice(0, 400)}`;
}

/** A SandboxError that knows E2B's answer. */
export class E2bError extends SandboxError {
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;

  constructor(code: SandboxErrorCode, message: string, status: number | undefined) {
    super(code, message);
    this.status = status;
  }
}

/** What to do is in the words. */
function failureOf(error: unknown, access: E2bAccess): E2bError {
  const said = facts.safeParse(error);
  const status = said.success ? (said.data.statusCode ?? statuses.get(said.data.name)) : undefined;
  const words = describeE2bFailure(error, access);
  const usual = /timeout cannot be greater/i.test(words) ? tooLong : nothing;
  const { code, remedy } = remedies.get(status ?? 0) ?? usual;
  return new E2bError(code, `${words}${remedy}`, status);
}

const facts = z.object({ name: z.string(), statusCode: z.number().optional() });

/** Of the library's errors that do not tell it. */
const statuses = new Map([
  ["AuthenticationError", 401],
  ["RateLimitError", 429],
  ["ServiceBusyError", 503],
]);

interface Remedy {
  readonly code: SandboxErrorCode;
  readonly remedy: string;
}

const nothing: Remedy = { code: "failed", remedy: "" };
/** Plans have a longest life. */
const tooLong: Remedy = {
  code: "limit",
  remedy: ' (set "limits": { "lifetimeMinutes": 60 } or what the plan allows)',
};
const denied: Remedy = { code: "denied", remedy: " (check the key's rights and the plan at E2B)" };
const remedies = new Map<number, Remedy>([
  [401, { code: "unavailable", remedy: " (check E2B_API_KEY)" }],
  [402, denied],
  [403, denied],
  [429, { code: "limit", remedy: " (too many requests or sandboxes: try again later)" }],
]);

/** Runs a call of the library; what it throws becomes an E2bError, or the signal's reason. */
export async function callE2b<T>(
  access: E2bAccess,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(error, access);
  }
}
