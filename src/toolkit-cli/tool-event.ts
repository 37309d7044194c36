/** What a call of a tool gives its caller, in order; "result" or "error" is the last. */
import type { JsonValue } from "./json-schema.ts";
import type { Issue } from "./toolkit.ts";

export type ToolEvent =
  | {
      readonly type: "progress";
      readonly message: string;
      readonly done?: number;
      readonly total?: number;
    }
  /** What the caller may do next, such as how to get the next page; one line. */
  | { readonly type: "hint"; readonly message: string }
  /** Somebody must agree first; `approval` is what `agentos-mcp approvals` calls it. */
  | { readonly type: "pending"; readonly approval: string; readonly message: string }
  /** A piece of a streamed result. */
  | { readonly type: "chunk"; readonly value: ToolValue }
  /** The end: the result, or nothing more where it was streamed. */
  | { readonly type: "result"; readonly value?: ToolValue }
  | ToolFailure;

/** A result: JSON data, text that is meant to be read as it is, or bytes. */
export type ToolValue =
  | { readonly kind: "json"; readonly json: JsonValue }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bytes"; readonly base64: string; readonly mimeType?: string };

export interface ToolFailure {
  readonly type: "error";
  readonly code: ToolErrorCode;
  readonly message: string;
  /** What is wrong with the input, for "usage". */
  readonly issues?: readonly Issue[];
}

/**
 * usage: the input is wrong. denied: the policy or a person said no. timeout: it took too long.
 * cancelled: the caller gave up. unavailable: what serves the tool cannot be reached. failed: the tool
 * itself failed.
 */
export type ToolErrorCode = "usage" | "denied" | "timeout" | "cancelled" | "unavailable" | "failed";

/** A failure as an exception; handlers may throw it to choose the code. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly issues: readonly Issue[] | undefined;

  constructor(
    code: ToolErrorCode,
    message: string,
    options?: ErrorOptions & { issues?: readonly Issue[] },
  ) {
    super(message, options);
    this.name = "ToolError";
    this.code = code;
    this.issues = options?.issues;
  }
}
