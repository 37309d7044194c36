/** Anything a tool throws, made into a failure that its caller can read. Never throws. */
import { ToolError, type ToolErrorCode, type ToolFailure } from "./tool-event.ts";
import type { Issue } from "./toolkit.ts";

/** Longer messages are cut. */
export const MESSAGE_LIMIT_CHARACTERS = 8 * 1024;
const ISSUES_LIMIT = 50;

const CODES: ReadonlySet<unknown> = new Set<ToolErrorCode>([
  "usage",
  "denied",
  "timeout",
  "cancelled",
  "unavailable",
  "failed",
]);

export function describeFailure(thrown: unknown): ToolFailure {
  const ours = asToolError(thrown);
  const code = ours?.code ?? readCode(thrown);
  const issues = code === "usage" ? cutIssues(ours?.issues ?? []) : [];
  return {
    type: "error",
    code,
    message: cutText(readMessage(thrown), MESSAGE_LIMIT_CHARACTERS),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

/** The text as it is, or its beginning with a note of how much is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()}… (${text.length - limit} more characters)`;
}

function asToolError(thrown: unknown): ToolError | undefined {
  try {
    return thrown instanceof ToolError ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/** A ToolError of another copy of this package chooses its code, too; nothing else does. */
function readCode(thrown: unknown): ToolErrorCode {
  if (read(thrown, "name") !== "ToolError") return "failed";
  const code = read(thrown, "code");
  return isCode(code) ? code : "failed";
}

function isCode(code: unknown): code is ToolErrorCode {
  return CODES.has(code);
}

function cutIssues(issues: readonly Issue[]): Issue[] {
  return issues.slice(0, ISSUES_LIMIT).map(({ path, message }) => ({
    path: path.slice(0, 100),
    message: cutText(message, 1024),
  }));
}

function readMessage(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  const message = read(thrown, "message");
  if (typeof message === "string" && message !== "") return message;
  const name = read(thrown, "name");
  if (typeof name === "string" && name !== "") return name;
  if (typeof thrown === "number" || typeof thrown === "boolean") return String(thrown);
  return "The tool failed without saying why.";
}

/** A property of anything, undefined where reading it throws. */
function read(from: unknown, key: string): unknown {
  if (from === null || (typeof from !== "object" && typeof from !== "function")) return undefined;
  try {
    return Reflect.get(from, key);
  } catch {
    return undefined;
  }
}
