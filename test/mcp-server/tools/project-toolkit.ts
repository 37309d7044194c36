import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";

/** An issue tracker to call tools of; `calls` are those that its handlers have seen. */
export function makeProject(calls: string[] = []): Toolkit {
  return toolkit("project", {
    description: "An issue tracker.",
    tools: {
      listIssues: tool({
        description: "Lists issues.",
        input: z.object({ status: z.enum(["open", "closed"]).optional() }),
        output: z.array(z.object({ id: z.number(), title: z.string(), body: z.string() })),
        readOnly: true,
        handler: ({ status }) => {
          calls.push(`list ${status}`);
          return [1, 2, 3].map((id) => ({ id, title: `Issue ${id}`, body: "x".repeat(2000) }));
        },
      }),
      closeIssue: tool({
        description: "Closes an issue.",
        input: z.object({ id: z.number() }),
        approval: true,
        handler: ({ id }) => {
          calls.push(`close ${id}`);
          return { closed: id };
        },
      }),
      fail: tool({
        description: "Fails.",
        input: z.object({}),
        handler: () => {
          throw new ToolError("unavailable", "the tracker is down");
        },
      }),
    },
  });
}
