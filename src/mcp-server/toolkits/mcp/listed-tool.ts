// A tool as a server lists it: only its frame is looked at here, its schemas are tool()'s to judge.
import { z } from "zod";

const shape = z.looseObject({
  name: z.string().min(1).max(500),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z
    .looseObject({ readOnlyHint: z.boolean().optional(), title: z.string().optional() })
    .optional()
    .catch(undefined),
});

export type ListedTool = z.output<typeof shape>;

/** The tool, or undefined where what was listed is none. */
export function readListedTool(listed: unknown): ListedTool | undefined {
  const parsed = shape.safeParse(listed);
  return parsed.success ? parsed.data : undefined;
}
