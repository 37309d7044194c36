// What went wrong with a question to a server, as a failure of the call it was asked for.
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { ToolError } from "../../../toolkit-cli/index.ts";
import { ConnectionLostError } from "./connection-lost.ts";
import type { ConnectionFacts } from "./mcp-connection.ts";

export interface CallFacts extends ConnectionFacts {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

export async function explainCall(error: unknown, facts: CallFacts): Promise<Error> {
  const { name, signal, timeout = 0 } = facts;
  if (signal?.aborted === true) {
    return new ToolError("cancelled", "The call was cancelled.", { cause: error });
  }
  if (error instanceof ProtocolError) return explainRefusal(error);
  if (error instanceof SdkHttpError) return explainStatus(error, facts);
  if (!(error instanceof SdkError)) return unreachable(error, facts);
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new ToolError(
        "timeout",
        `The MCP server "${name}" did not answer within ${timeout / 1000} s. Raise timeoutMs in mcpServers.${name} if it needs longer.`,
        { cause: error },
      );
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return await explainDeath(error, facts);
    case SdkErrorCode.InvalidResult:
      return failed(`The MCP server "${name}" answered what MCP does not allow`, error);
    default:
      return failed(`The MCP server "${name}" could not be asked`, error);
  }
}

/** The server answered, with an error of JSON-RPC. */
function explainRefusal(error: ProtocolError): ToolError {
  const isUsage = error.code === ProtocolErrorCode.InvalidParams;
  return new ToolError(isUsage ? "usage" : "failed", cut(error.message), { cause: error });
}

function explainStatus(error: SdkHttpError, { name }: CallFacts): Error {
  // The session is over and a new one is to be opened: 404 as the protocol has it, 400 as many servers do.
  if (error.status === 404 || error.status === 400)
    return new ConnectionLostError(name, { cause: error });
  const credentials =
    error.status === 401 || error.status === 403
      ? ` It wants other credentials: check "headers" in mcpServers.${name}.`
      : "";
  return new ToolError(
    "unavailable",
    `The MCP server "${name}" answers with status ${error.status}.${credentials}`,
    { cause: error },
  );
}

async function explainDeath(error: SdkError, { name, child }: CallFacts): Promise<ToolError> {
  const how = child === undefined ? "the connection ended" : await child.gone;
  return new ToolError(
    "unavailable",
    `The MCP server "${name}" was lost during the call (${how}). Whether the call took effect is unknown; the next call starts it again.`,
    { cause: error },
  );
}

function unreachable(error: unknown, { name }: CallFacts): ToolError {
  return new ToolError(
    "unavailable",
    `The MCP server "${name}" cannot be reached. Whether the call took effect is unknown.`,
    { cause: error },
  );
}

function failed(what: string, error: SdkError): ToolError {
  return new ToolError("failed", `${what}: ${cut(error.message)}`, { cause: error });
}

const messageCharacters = 4096;

function cut(text: string): string {
  return text.length <= messageCharacters ? text : `${text.slice(0, messageCharacters)}…`;
}
