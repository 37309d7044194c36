/** A failure on fd 2, and the status that tells it from others. */
import type { Sys } from "../../kernel/index.ts";
import type { ToolError, ToolErrorCode } from "../tool-event.ts";
import type { Issue } from "../toolkit.ts";
import { plainLines, plainText } from "./plain-text.ts";
import { writeText } from "./write-all.ts";

/**
 * 69, 77: EX_UNAVAILABLE and EX_NOPERM of sysexits.h; 124: as timeout(1); 130: as a shell says of
 * SIGINT; 2: as bash's builtins do.
 */
export const exitCodes: Readonly<Record<ToolErrorCode, number>> = {
  usage: 2,
  denied: 77,
  timeout: 124,
  cancelled: 130,
  unavailable: 69,
  failed: 1,
};

/** Issues that are shown. */
const ISSUE_LIMIT = 20;

export interface Failure {
  /** What was run: `agentos-project list-issues`. */
  readonly name: string;
  readonly error: ToolError;
  /** How an issue's place is written; its path with dots unless said. */
  readonly placeOf?: (issue: Issue) => string;
  readonly isJson?: boolean;
  readonly hint?: string;
}

/** Answers the exit status. */
export async function reportFailure(sys: Sys, failure: Failure): Promise<number> {
  await writeText(sys, 2, failure.isJson === true ? asJson(failure) : asText(failure));
  return exitCodes[failure.error.code] ?? exitCodes.failed;
}

function asText({ name, error, placeOf = pathText, hint }: Failure): string {
  const issues = error.issues ?? [];
  const [only] = issues;
  if (only !== undefined && issues.length === 1) {
    return `${name}: ${plainText(`${placeOf(only)} ${only.message}`)}\n${hintLine(hint)}`;
  }
  const lines = issues
    .slice(0, ISSUE_LIMIT)
    .map((issue) => `  ${plainText(`${placeOf(issue)} ${issue.message}`)}\n`);
  const more = issues.length - ISSUE_LIMIT;
  const rest = more > 0 ? `  and ${more} more\n` : "";
  const message =
    issues.length === 0 ? plainLines(error.message) : `${issues.length} things are wrong`;
  return `${name}: ${message}\n${lines.join("")}${rest}${hintLine(hint)}`;
}

function hintLine(hint: string | undefined): string {
  return hint === undefined ? "" : `${hint}\n`;
}

function asJson({ error, hint }: Failure): string {
  const { code, message, issues } = error;
  return `${JSON.stringify({ error: { code, message, issues, hint } })}\n`;
}

function pathText({ path }: Issue): string {
  return path.length === 0 ? "" : `${path.join(".")}:`;
}
