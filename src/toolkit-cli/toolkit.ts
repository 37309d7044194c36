/**
 * What a toolkit is to the rest of the system, whoever made it: `toolkit()`, an MCP server, an OpenAPI
 * document. Host side only; what a VM gets to see of it is a ToolkitDescription.
 */
import type { JsonSchema, JsonValue } from "./json-schema.ts";

/** A named set of tools, offered in VMs as the command `agentos-<name>`. */
export interface Toolkit {
  /** Kebab-case, see names.ts. */
  readonly name: string;
  readonly description: string;
  /** Where its tools appear: as a command in VMs, as MCP tools of the server, or as both. */
  readonly expose: Exposure;
  /**
   * Its tools. The first call may start what serves them; whoever calls keeps no copy past `changed`.
   * Fails with a ToolError "unavailable" that says what to do.
   */
  tools(signal?: AbortSignal): Promise<readonly Tool[]>;
  /** Calls back when the tools may have changed; the answer takes it back. */
  onChange?(listener: () => void): () => void;
  /** Ends whatever it started. Again: nothing happens. */
  close?(): Promise<void>;
}

export type Exposure = "cli" | "direct" | "both";

/** One function of the host. */
export interface Tool {
  /** Kebab-case, unique in its toolkit. */
  readonly name: string;
  readonly description: string;
  /** An object schema: what flags, `--json` and declarations are made from. */
  readonly input: JsonSchema;
  /** What the result looks like, where the tool says so. */
  readonly output?: JsonSchema;
  readonly examples: readonly ToolExample[];
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether somebody must agree to each call. */
  readonly needsApproval: boolean;
  /** How long a call may take; waiting for approval does not count. */
  readonly timeoutMs: number;
  /** The input as the handler takes it (defaults filled in), or what is wrong with it. */
  validate(input: JsonValue): Promise<Validation>;
  /** Whether data it returned, or one streamed item of it, is what `output` promises. */
  validateOutput?(value: JsonValue): Promise<Validation>;
  /**
   * Runs with a validated input. An async iterable streams: strings and bytes as they are, other values
   * as one JSON line each. Anything may be thrown and anything returned; call-tool.ts makes sense of it.
   */
  run(input: unknown, context: ToolContext): unknown;
}

export interface ToolExample {
  readonly description?: string;
  readonly input: JsonValue;
}

export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface Issue {
  /** Keys and positions from the input's root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a handler knows of its call. */
export interface ToolContext {
  /** The VM's name. */
  readonly vm: string;
  /** The process in the VM that calls, and its command; 0 and "" where the server itself calls. */
  readonly pid: number;
  readonly command: string;
  /** Aborted when the caller is gone, is cancelled, or its time is over. */
  readonly signal: AbortSignal;
  /** Tells the caller what is going on. */
  readonly progress: (message: string, done?: number, total?: number) => void;
  /** Tells the caller, in one line, what it may do next; shown beside the result. */
  readonly hint: (message: string) => void;
  /** A line for the server's log; never seen by the VM. */
  readonly log: (line: string) => void;
}
