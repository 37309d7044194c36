// T2: 100 issues, of which a few matter; the tracker has no such filter.
import { makeIssues, type TrackedIssue } from "../toolkits/tracker.ts";
import type { Task } from "./task.ts";

const SINCE = "2026-10-15";

export function filterIssues(): Task {
  const open = makeIssues().filter(({ state }) => state === "open");
  const forgotten = open.filter(isForgotten);
  return {
    key: "T2",
    title: "filter 100 issues",
    isBatch: true,
    prompt: `Which open bugs of the project atlas have nobody assigned and no update since ${SINCE}? Give their numbers and titles.`,
    answer: say(forgotten),
    needs: ["tracker list-issues"],
    queries: ["list issues of a project"],
    async direct(turn) {
      const [page] = await turn([
        { tool: "tracker list-issues", input: { project: "atlas", state: "open", per_page: 100 } },
      ]);
      const { issues } = page as unknown as { issues: TrackedIssue[] };
      return say(issues.filter(isForgotten));
    },
    command: `agentos-tracker list-issues --project atlas --state open --per-page 100 | jq -r '.issues[] | select((.labels | index("bug")) and .assignee == null and .updated_at < "${SINCE}") | "\\(.number) \\(.title)"'`,
    code: `const { issues } = await tools.tracker.listIssues({ project: "atlas", state: "open", per_page: 100 });
return issues
  .filter((i) => i.labels.includes("bug") && i.assignee === null && i.updated_at < "${SINCE}")
  .map((i) => \`\${i.number} \${i.title}\`);`,
    shows: forgotten.map(({ number, title }) => `${number} ${title}`),
    writes: [],
  };
}

function isForgotten({ labels, assignee, updated_at }: TrackedIssue): boolean {
  return labels.includes("bug") && assignee === null && updated_at < SINCE;
}

function say(issues: readonly TrackedIssue[]): string {
  const lines = issues.map(({ number, title }) => `- ${number} ${title}`);
  return `${issues.length} open bugs have nobody and no update since ${SINCE}:\n${lines.join("\n")}`;
}
