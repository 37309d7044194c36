import { Policy } from "../../../kernel/index.ts";
import {
  describeToolkit,
  nearest,
  type SearchResult,
  searchTools,
  type Tool,
  ToolError,
  type Toolkit,
  type ToolkitDescription,
} from "../../../toolkit-cli/index.ts";
import type { VmOptions } from "../../vm-options.ts";

/** Giving a VM toolkits is granting them, unless its policy speaks of them. */
export function policyOf({ permissions = {} }: VmOptions): Policy {
  return new Policy({ ...permissions, toolkit: permissions.toolkit ?? "allow" });
}

/** Those that a VM gets to see: not those for MCP clients alone, nor those of which it may have nothing. */
export function toolkitsInVm(options: VmOptions): readonly Toolkit[] {
  const policy = policyOf(options);
  return (options.toolkits ?? []).filter(
    ({ name, expose }) => expose !== "direct" && policy.couldGrant(name),
  );
}

const MATCHES = 10;

/** What a VM knows of its toolkits: tools that its policy denies are not there. */
export class GrantedToolkits {
  readonly #toolkits: readonly Toolkit[];
  readonly #policy: Policy;

  constructor(toolkits: readonly Toolkit[], policy: Policy) {
    this.#toolkits = toolkits;
    this.#policy = policy;
  }

  /** By name and description; nothing is started for it. */
  list(): { readonly name: string; readonly description: string }[] {
    return this.#toolkits.map(({ name, description }) => ({ name, description }));
  }

  /** ToolError "usage" where there is none; else as Toolkit.tools. */
  async describe(name: string, signal?: AbortSignal): Promise<ToolkitDescription> {
    return describeToolkit(this.#get(name), (tool) => this.#isGranted(name, tool.name), signal);
  }

  async search(
    query: string,
    { limit = MATCHES, signal }: { readonly limit?: number; readonly signal?: AbortSignal } = {},
  ): Promise<SearchResult> {
    return searchTools(this.#toolkits, query, {
      limit,
      ...(signal === undefined ? {} : { signal }),
      isGranted: (toolkit: string, tool: string) => this.#isGranted(toolkit, tool),
    });
  }

  /** A tool, denied or not. ToolError "usage" where there is none. */
  async getTool(toolkit: string, name: string, signal: AbortSignal): Promise<Tool> {
    const tools = await this.#get(toolkit).tools(signal);
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) return found;
    const granted = tools.filter((tool) => this.#isGranted(toolkit, tool.name));
    const close = nearest(
      name,
      granted.map((tool) => tool.name),
    );
    const hint = close === undefined ? "" : ` Did you mean "${close}"?`;
    const how = `"agentos-${toolkit} --help" shows those it has`;
    throw new ToolError("usage", `The toolkit "${toolkit}" has no tool "${name}"; ${how}.${hint}`);
  }

  #get(name: string): Toolkit {
    const found = this.#toolkits.find((toolkit) => toolkit.name === name);
    if (found !== undefined) return found;
    throw new ToolError(
      "usage",
      `There is no toolkit "${name}". "agentos list" shows those there are.`,
    );
  }

  #isGranted(toolkit: string, tool: string): boolean {
    return this.#policy.decide("toolkit", "invoke", `${toolkit}:${tool}`).mode !== "deny";
  }
}
