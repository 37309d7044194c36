// Why a server cannot be used, in words that say what to do.
import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../../toolkit-cli/index.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { ServerChild } from "./server-child.ts";
import type { HttpSpec, ServerSpec, StdioSpec } from "./server-spec.ts";

export interface StartFacts {
  readonly name: string;
  readonly spec: ServerSpec;
  readonly startMs: number;
  readonly log: (line: string) => void;
  readonly child?: ServerChild;
}

/** All that a server said last goes to the log; a caller gets the end of it without secrets. */
export async function explainStart(error: unknown, facts: StartFacts): Promise<ToolError> {
  if (error instanceof ToolError) return error;
  const { name, spec, child } = facts;
  const why =
    spec.kind === "stdio"
      ? await explainStdio(error, spec, facts)
      : explainHttp(error, spec, facts);
  const said = child?.stderr.text() ?? "";
  facts.log(`mcp ${name}: ${why}${said === "" ? "" : `; the end of its stderr:\n${said}`}`);
  const tail = lastLines(maskSecrets(said, spec));
  const message = `The MCP server "${name}" is not available: ${why}${tail}`;
  return new ToolError("unavailable", maskSecrets(message, spec), { cause: error });
}

async function explainStdio(error: unknown, spec: StdioSpec, facts: StartFacts): Promise<string> {
  const { name, child } = facts;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") {
    return `there is no command "${spec.command}" (or its "cwd" is missing). Install it, or give its full path as "command" in mcpServers.${name}; a desktop program may have a shorter PATH than your shell.`;
  }
  if (code === "EACCES") {
    return `"${spec.command}" may not be executed. Check "command" in mcpServers.${name}.`;
  }
  if (code === SdkErrorCode.RequestTimeout) return tooSlow(facts);
  if (error instanceof SdkError && code === SdkErrorCode.ConnectionClosed && child !== undefined) {
    return `${await child.gone} before it answered. Run its command in a terminal to see why.`;
  }
  return `${messageOf(error)}.`;
}

function explainHttp(error: unknown, { url }: HttpSpec, facts: StartFacts): string {
  const status = statusOf(error);
  if (error instanceof UnauthorizedError || status === 401 || status === 403) {
    return `${url.origin} answers ${status ?? 401}: it wants credentials. Set "headers" in mcpServers.${facts.name}, for example { "Authorization": "Bearer \${TOKEN}" }.`;
  }
  if (status !== undefined) {
    return `${url.origin} answers ${status}. Check "url" in mcpServers.${facts.name}.`;
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return tooSlow(facts);
  return `${url.origin} cannot be reached (${rootMessage(error)}). Check "url" in mcpServers.${facts.name}, and that the server runs.`;
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}

function tooSlow({ startMs }: StartFacts): string {
  return `it did not answer within ${startMs / 1000} s.`;
}

/** fetch says "fetch failed"; its cause says why. */
function rootMessage(error: unknown): string {
  let at = error;
  while (at instanceof Error && at.cause !== undefined) at = at.cause;
  if (at instanceof Error && at.message === "" && "code" in at) return String(at.code);
  return messageOf(at).slice(0, 300);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const tailLines = 5;
const tailCharacters = 600;

function lastLines(text: string): string {
  if (text === "") return "";
  const lines = text.split("\n").slice(-tailLines).join("\n").slice(-tailCharacters);
  return `\nIt said last:\n${lines}`;
}
