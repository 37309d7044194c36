// What Daytona's clients throw, as a SandboxError that says what to do. The clients' own errors hold the request
// with its key: they are not passed on as a cause.
import { z } from "zod";
import { SandboxError, type SandboxErrorCode } from "../../provider.ts";

/** A SandboxError that knows Daytona's answer. */
export class DaytonaError extends SandboxError {
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  /** How long Daytona wants us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: SandboxErrorCode, message: string, facts: AnswerFacts = {}) {
    super(code, message);
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

interface AnswerFacts {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What the clients throw when an answer came; see axios's AxiosError and Daytona's all-exceptions.filter.ts. */
const refusal = z.object({
  response: z.object({
    status: z.number(),
    data: z.object({ message: z.union([z.string(), z.array(z.string())]) }).or(z.unknown()),
    headers: z.record(z.string(), z.unknown()).or(z.unknown()),
  }),
});

const said = z.object({ message: z.union([z.string(), z.array(z.string())]) });
const waiting = z.object({ "retry-after": z.coerce.number().nonnegative() });

export function describeFailure(error: unknown, apiKey: string): DaytonaError {
  if (error instanceof DaytonaError) return error;
  const parsed = refusal.safeParse(error);
  if (!parsed.success) {
    const words = error instanceof Error ? error.message : String(error);
    return new DaytonaError("failed", `Daytona did not answer: ${clean(words, apiKey)}`);
  }
  const { status, data, headers } = parsed.data.response;
  const answer = said.safeParse(data);
  const words = answer.success ? [answer.data.message].flat().join(", ") : `status ${status}`;
  const wait = waiting.safeParse(headers);
  const retryAfterMs = wait.success ? wait.data["retry-after"] * 1000 : undefined;
  const { code, remedy } = remedyOf(status);
  const message = `Daytona: ${clean(words, apiKey)}${remedy === "" ? "" : ` (${remedy})`}`;
  return new DaytonaError(code, message, { status, retryAfterMs });
}

/** Whether the same request may be answered another time. */
export function isPassing({ status }: DaytonaError): boolean {
  return status === undefined || status === 429 || status >= 500;
}

function remedyOf(status: number): { readonly code: SandboxErrorCode; readonly remedy: string } {
  if (status === 401) return { code: "unavailable", remedy: "check DAYTONA_API_KEY" };
  if (status === 402 || status === 403)
    return {
      code: "denied",
      remedy: "check the key's rights, the credit and the limits at Daytona",
    };
  if (status === 404) return { code: "gone", remedy: "" };
  if (status === 429) return { code: "limit", remedy: "too many requests: try again later" };
  return { code: "failed", remedy: status >= 500 ? "a failure at Daytona: try again" : "" };
}

/** One line, without the key. */
function clean(words: string, apiKey: string): string {
  const line = words.replaceAll(apiKey, "…").replace(/[^\x20-\x7e…]+/g, " ");
  return line.slice(0, WORDS_LIMIT);
}

/** Of what a vendor says: a line, not a page. */
const WORDS_LIMIT = 400;
