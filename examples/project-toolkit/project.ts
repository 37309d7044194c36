// A small issue tracker as a toolkit: the command agentos-project of every VM that gets it.
import { ToolError, tool, toolkit } from "agentos-mcp/toolkit";
import { z } from "zod";

const status = z.enum(["open", "closed"]);
type Status = z.output<typeof status>;

interface Issue {
  readonly id: number;
  readonly title: string;
  readonly status: Status;
  readonly labels: readonly string[];
  readonly comments: readonly string[];
}

const issues = new Map<number, Issue>();

const createIssue = tool({
  description: "Create an issue",
  input: z.object({
    title: z.string().min(1).describe("What is wrong, in one line"),
    labels: z.array(z.string()).default([]).describe("May be repeated"),
  }),
  examples: [{ input: { title: "Login fails", labels: ["bug"] } }],
  handler({ title, labels }) {
    const issue: Issue = { id: issues.size + 1, title, status: "open", labels, comments: [] };
    issues.set(issue.id, issue);
    return issue;
  },
});

const listIssues = tool({
  description: "List issues, the oldest first",
  readOnly: true,
  input: z.object({ status: status.optional(), label: z.string().optional() }),
  handler: ({ status, label }) =>
    [...issues.values()].filter(
      (issue) =>
        (status === undefined || issue.status === status) &&
        (label === undefined || issue.labels.includes(label)),
    ),
});

const addComment = tool({
  description: "Comment on an issue, and perhaps close it",
  input: z.object({ id: z.number().int(), text: z.string(), close: z.boolean().default(false) }),
  handler({ id, text, close }, context) {
    const issue = getIssue(id);
    const changed: Issue = {
      ...issue,
      status: close ? "closed" : issue.status,
      comments: [...issue.comments, `${context.vm}: ${text}`],
    };
    issues.set(id, changed);
    return changed;
  },
});

const deleteIssue = tool({
  description: "Delete an issue for good",
  approval: true,
  input: z.object({ id: z.number().int() }),
  handler({ id }) {
    issues.delete(getIssue(id).id);
    return `Issue ${id} is gone.`;
  },
});

export const project = toolkit("project", {
  description: "The project's issues",
  tools: { createIssue, listIssues, addComment, deleteIssue },
});

function getIssue(id: number): Issue {
  const issue = issues.get(id);
  if (issue === undefined) throw new ToolError("failed", `There is no issue ${id}.`);
  return issue;
}
