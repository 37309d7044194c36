/** Makes of a toolkit the plain data that a VM gets to see. */
import type { ToolDescription, ToolkitDescription } from "./description.ts";
import type { Tool, Toolkit } from "./toolkit.ts";

/**
 * The toolkit's description with the tools that `isGranted` names; fails as `toolkit.tools` does.
 * Tools are in the order of their names, so that the same toolkit is described the same each time.
 */
export async function describeToolkit(
  toolkit: Toolkit,
  isGranted: (tool: Tool) => boolean = () => true,
  signal?: AbortSignal,
): Promise<ToolkitDescription> {
  const tools = await toolkit.tools(signal);
  return {
    name: toolkit.name,
    description: toolkit.description,
    tools: tools.filter(isGranted).map(describeTool).toSorted(byName),
  };
}

export function describeTool(tool: Tool): ToolDescription {
  return {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    ...(tool.output === undefined ? {} : { output: tool.output }),
    examples: tool.examples,
    isReadOnly: tool.isReadOnly,
    needsApproval: tool.needsApproval,
  };
}

function byName(a: ToolDescription, b: ToolDescription): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
