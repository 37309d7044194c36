import { Policy } from "../../../kernel/index.ts";
import {
  atOnce,
  describeToolkit,
  nearest,
  type SearchResult,
  searchTools,
  type Tool,
  ToolError,
  type Toolkit,
  type ToolkitDescription,
  type Turn,
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

export interface SearchWish {
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly turn?: Turn;
}

interface Made {
  readonly tools: readonly Tool[];
  readonly described: ToolkitDescription;
}

function isSameList(one: readonly Tool[], other: readonly Tool[]): boolean {
  return one.length === other.length && one.every((tool, at) => tool === other[at]);
}

/** What a VM knows of its toolkits: tools that its policy denies are not there. */
export class GrantedToolkits {
  readonly #toolkits: readonly Toolkit[];
  readonly #policy: Policy;
  readonly #descriptions = new Map<string, Made>();

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
    return await this.#describe(this.#get(name), signal);
  }

  async search(
    query: string,
    { limit = MATCHES, signal, turn = atOnce }: SearchWish = {},
  ): Promise<SearchResult> {
    return searchTools(this.#toolkits, query, {
      limit,
      turn,
      ...(signal === undefined ? {} : { signal }),
      describe: (toolkit, until) => this.#describe(toolkit, until),
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

  /** Made once of the tools that a toolkit has: deciding about each takes a while where there are many. */
  async #describe(toolkit: Toolkit, signal?: AbortSignal): Promise<ToolkitDescription> {
    const tools = await toolkit.tools(signal);
    const { name, description } = toolkit;
    const made = this.#descriptions.get(name);
    const isSame = made?.described.description === description && isSameList(made.tools, tools);
    if (made !== undefined && isSame) return made.described;
    const isGranted = (tool: Tool): boolean => this.#isGranted(name, tool.name);
    const now = { name, description, expose: toolkit.expose, tools: async () => tools };
    const described = await describeToolkit(now, isGranted, signal);
    this.#descriptions.set(name, { tools: [...tools], described });
    return described;
  }

  #isGranted(toolkit: string, tool: string): boolean {
    return this.#policy.decide("toolkit", "invoke", `${toolkit}:${tool}`).mode !== "deny";
  }
}
