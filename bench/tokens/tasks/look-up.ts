// T1: one call with a small result. There is nothing to batch: what it costs is the fixed part of each arm.
import { makeIssues, type TrackedIssue } from "../toolkits/tracker.ts";
import type { Task } from "./task.ts";

const NUMBER = 1234;

export function lookUp(): Task {
  const issue = makeIssues().find(({ number }) => number === NUMBER);
  if (issue === undefined) throw new Error(`The tracker has no issue ${NUMBER}.`);
  const { state, assignee, title } = issue;
  return {
    key: "T1",
    title: "single lookup",
    isBatch: false,
    prompt: `What is issue ${NUMBER} of the project atlas about, is it still open, and who has it?`,
    answer: say(issue),
    needs: ["tracker get-issue"],
    queries: ["get issue"],
    async direct(turn) {
      const [found] = await turn([
        { tool: "tracker get-issue", input: { project: "atlas", number: NUMBER } },
      ]);
      return say(found as unknown as TrackedIssue);
    },
    command: `agentos-tracker get-issue --project atlas --number ${NUMBER} --fields title,state,assignee`,
    code: `const { title, state, assignee } = await tools.tracker.getIssue({ project: "atlas", number: ${NUMBER} });
return { title, state, assignee };`,
    shows: [title, state, assignee ?? "null"],
    writes: [],
  };
}

function say({ title, state, assignee }: TrackedIssue): string {
  return `Issue ${NUMBER}, "${title}", is ${state}; ${assignee ?? "nobody"} has it.`;
}
