/** What TypeScript knows of the module "agentos" of scripts in a VM; src/vm/node/agentos is its code. */
export const agentosTypes = `declare module "agentos" {
  export interface CallOptions {
    /** Gives the call up. */
    readonly signal?: AbortSignal;
    /** Called with progress, hints, and approvals that are waited for. */
    readonly onEvent?: (event: ToolEvent) => void;
  }
  export type ToolEvent =
    | { readonly type: "progress"; readonly message: string; readonly done?: number; readonly total?: number }
    | { readonly type: "hint"; readonly message: string }
    | { readonly type: "pending"; readonly approval: string; readonly message: string };
  export interface Tool {
    /** Data as it is, text as a string, bytes as a Buffer; a streamed result whole. */
    (input?: object, options?: CallOptions): Promise<any>;
    /** The parts of a streamed result as they come; leaving the loop cancels the call. */
    stream(input?: object, options?: CallOptions): AsyncIterableIterator<any>;
  }
  export type Tools = { readonly [toolkit: string]: { readonly [tool: string]: Tool } };
  export interface ToolDescription {
    readonly name: string;
    readonly description: string;
    /** JSON Schema. */
    readonly input: object;
    readonly output?: object;
    readonly examples: readonly { readonly description?: string; readonly input: unknown }[];
    readonly isReadOnly: boolean;
    readonly needsApproval: boolean;
  }
  export class ToolError extends Error {
    readonly code: "usage" | "denied" | "timeout" | "cancelled" | "unavailable" | "failed";
    readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  }
  export const tools: Tools;
  export function list(options?: CallOptions): Promise<{ name: string; description: string }[]>;
  export function describe(
    toolkit: string,
    options?: CallOptions,
  ): Promise<{ name: string; description: string; tools: ToolDescription[] }>;
  export function search(
    query: string,
    limit?: number,
    options?: CallOptions,
  ): Promise<{
    matches: { toolkit: string; tool: string; description: string; score: number }[];
    unavailable: { toolkit: string; message: string }[];
  }>;
  export function call(toolkit: string, tool: string, input?: object, options?: CallOptions): Promise<any>;
  const all: Tools;
  export default all;
}
`;
