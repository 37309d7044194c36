/** `toolkit()`: how a host program offers functions of its own to VMs. */
import { checkedText } from "./checked-text.ts";
import type { ToolDefinition } from "./define-tool.ts";
import { checkOptions } from "./known-options.ts";
import { checkDistinct, checkedName } from "./names.ts";
import type { Exposure, Tool, Toolkit } from "./toolkit.ts";

export interface ToolkitOptions {
  readonly description?: string;
  /** By name: `listIssues`, `list_issues` and `list-issues` are all the command `list-issues`. */
  readonly tools: Readonly<Record<string, ToolDefinition>>;
  /** Where its tools appear: "cli" (the default), "direct" or "both". */
  readonly expose?: Exposure;
}

/** More tools than that are several toolkits. */
export const TOOLS_LIMIT = 1000;

const OPTIONS: readonly (keyof ToolkitOptions)[] = ["description", "tools", "expose"];
const EXPOSURES: ReadonlySet<unknown> = new Set<Exposure>(["cli", "direct", "both"]);

/** Offered in VMs as the command `agentos-<name>`. Throws a TypeError that says what is wrong. */
export function toolkit(name: string, options: ToolkitOptions): Toolkit {
  const kebab = checkedName("toolkit", name);
  checkOptions("toolkit", options, OPTIONS);
  const { description, expose = "cli" } = options;
  if (!EXPOSURES.has(expose)) {
    throw new TypeError(
      `The toolkit ${kebab} cannot be exposed as ${JSON.stringify(expose)}: it is "cli", "direct" or "both".`,
    );
  }
  const tools = nameTools(kebab, Object.entries(options.tools));
  return {
    name: kebab,
    description: description === undefined ? "" : checkedText("toolkit", description),
    expose,
    tools: async () => tools,
  };
}

function nameTools(kebab: string, entries: readonly [string, ToolDefinition][]): readonly Tool[] {
  if (entries.length === 0) throw new TypeError(`The toolkit ${kebab} has no tools.`);
  if (entries.length > TOOLS_LIMIT) {
    throw new TypeError(
      `A toolkit may have ${TOOLS_LIMIT} tools; ${kebab} has ${entries.length}. Make several of it.`,
    );
  }
  const names = new Map(entries.map(([written]) => [written, checkedName("tool", written)]));
  checkDistinct("tool", names);
  return entries.map(([written, definition]) => {
    if (typeof definition?.run !== "function" || typeof definition.validate !== "function") {
      throw new TypeError(`The tool ${JSON.stringify(written)} is not made by tool().`);
    }
    return { ...definition, name: names.get(written) ?? written };
  });
}
