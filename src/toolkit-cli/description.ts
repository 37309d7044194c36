/** A toolkit as a VM sees it: plain data, made by describe-toolkit.ts on the host. */
import type { JsonSchema } from "./json-schema.ts";
import type { ToolExample } from "./toolkit.ts";

export interface ToolkitDescription {
  readonly name: string;
  readonly description: string;
  /** Only what the VM's policy grants. */
  readonly tools: readonly ToolDescription[];
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly examples: readonly ToolExample[];
  readonly isReadOnly: boolean;
  readonly needsApproval: boolean;
}
