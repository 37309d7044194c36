// The lines shim, commands and server say to each other outside MCP: who connects, whether the
// server takes it, and why it leaves. None of them can be a JSON-RPC message. Runs on Node 20.

/** The first line of a connection, from who connects. */
export interface Hello {
  readonly role: "mcp" | "control";
  readonly build: string;
  readonly pid: number;
  /** From the server's record. */
  readonly key: string;
  /** Of an MCP client: the project it works in, see shim/project-of.ts. */
  readonly project?: string;
}

/** What who connects says of itself; the rest of its hello comes from the server's record. */
export type Introduction = Pick<Hello, "role" | "project">;

/** Why a server leaves on purpose. */
export type LeaveReason = "stopped" | "idle" | "retired" | "failed";

/** What the server says on a connection outside MCP: the first line, and the last one of some. */
export type Notice =
  /** `notice` is for the person: what they may not expect of this server. */
  | { readonly "agentos-mcp": "welcome"; readonly pid: number; readonly notice?: string }
  | { readonly "agentos-mcp": "refused"; readonly reason: string }
  | { readonly "agentos-mcp": "leaving"; readonly reason: LeaveReason };

/** How every notice starts; `JSON.stringify` keeps the order of keys. */
export const noticePrefix = Buffer.from('{"agentos-mcp":');

/** The hello a line holds, or undefined for anything else. */
export function parseHello(line: string): Hello | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const { role, build, pid, key, project } = value;
  if (role !== "mcp" && role !== "control") return undefined;
  if (typeof build !== "string" || typeof pid !== "number" || typeof key !== "string")
    return undefined;
  return { role, build, pid, key, ...(typeof project === "string" ? { project } : {}) };
}

/** The notice a line holds, or undefined for anything else. */
export function parseNotice(line: string): Notice | undefined {
  const value = parseObject(line);
  const kind = value?.["agentos-mcp"];
  const reason = value?.["reason"];
  if (kind === "welcome" && typeof value?.["pid"] === "number") {
    const { pid, notice } = value;
    return { "agentos-mcp": kind, pid, ...(typeof notice === "string" ? { notice } : {}) };
  }
  if (kind === "refused" && typeof reason === "string") return { "agentos-mcp": kind, reason };
  if (kind === "leaving" && isLeaveReason(reason)) return { "agentos-mcp": kind, reason };
  return undefined;
}

function isLeaveReason(value: unknown): value is LeaveReason {
  return value === "stopped" || value === "idle" || value === "retired" || value === "failed";
}

function parseObject(line: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
