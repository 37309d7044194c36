// What a client can be asked, and how: by a request of ours, or by a result that it answers.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

export interface McpClient {
  /** What it says its name is. */
  readonly name: string;
  /**
   * How it shows forms: "request" sends elicitation/create while a call waits (until 2025-11-25),
   * "result" ends the call with the question, and the client calls again (2026-07-28).
   */
  readonly forms: "request" | "result" | "none";
  /** Whether it can be asked for its MCP roots while a call waits (until 2025-11-25). */
  readonly hasRoots: boolean;
}

const clientInfo = z.object({ name: z.string() });
const clientCapabilities = z.object({
  elicitation: z.object({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
  roots: z.unknown().optional(),
});
const envelopeFacts = z.object({
  [CLIENT_INFO_META_KEY]: clientInfo.optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: clientCapabilities.optional().catch(undefined),
});

type Capabilities = z.output<typeof clientCapabilities>;

/** Since 2026-07-28 every request says who sends it; before that, the connection's first did. */
export function describeClient({ server }: McpServer, request: ServerContext["mcpReq"]): McpClient {
  if (request.envelope === undefined) {
    const { name } = server.getClientVersion() ?? nameless;
    const capabilities = clientCapabilities.safeParse(server.getClientCapabilities() ?? {});
    const hasRoots = capabilities.data?.roots !== undefined;
    return { name, forms: hasForms(capabilities.data) ? "request" : "none", hasRoots };
  }
  const facts = envelopeFacts.parse(request.envelope);
  const { name } = facts[CLIENT_INFO_META_KEY] ?? nameless;
  const forms = hasForms(facts[CLIENT_CAPABILITIES_META_KEY]) ? "result" : "none";
  return { name, forms, hasRoots: false };
}

const nameless = { name: "an MCP client" };

/** An empty capability is that of forms: there was nothing else at first. */
function hasForms(capabilities: Capabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
