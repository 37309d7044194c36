// An issue tracker: 140 issues of one project, 100 of them open.
import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { RecordCall } from "./call-record.ts";
import { SeededRandom } from "./seeded-random.ts";

export interface TrackedIssue {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly labels: string[];
  readonly author: string;
  readonly assignee: string | null;
  readonly milestone: string | null;
  readonly comments: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly url: string;
  readonly body: string;
}

const issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  labels: z.array(z.string()),
  author: z.string(),
  assignee: z.string().nullable(),
  milestone: z.string().nullable(),
  comments: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  url: z.string(),
  body: z.string(),
});

const project = z.string().describe("The project's key");

export function tracker(record: RecordCall): Toolkit {
  const issues = new Map(makeIssues().map((each) => [each.number, each]));
  const find = (number: number): TrackedIssue => {
    const found = issues.get(number);
    if (found === undefined) throw new ToolError("failed", `There is no issue ${number}.`);
    return found;
  };
  return toolkit("tracker", {
    description: "Issues of software projects",
    tools: {
      listIssues: tool({
        description: "List the issues of a project, newest first, a page at a time.",
        readOnly: true,
        input: z.object({
          project,
          state: z.enum(["open", "closed", "all"]).default("open").describe("Which issues"),
          page: z.int().min(1).default(1).describe("Page number"),
          per_page: z.int().min(1).max(100).default(30).describe("Issues on a page"),
        }),
        output: z.object({ total: z.int(), issues: z.array(issue) }),
        handler({ state, page, per_page }) {
          record({ toolkit: "tracker", tool: "list-issues" });
          const all = [...issues.values()].filter(
            (each) => state === "all" || each.state === state,
          );
          const start = (page - 1) * per_page;
          return { total: all.length, issues: all.slice(start, start + per_page) };
        },
      }),
      getIssue: tool({
        description: "Get one issue with its description.",
        readOnly: true,
        input: z.object({ project, number: z.int().describe("The issue's number") }),
        output: issue,
        handler({ number }) {
          record({ toolkit: "tracker", tool: "get-issue" });
          return find(number);
        },
      }),
      updateIssue: tool({
        description: "Change an issue's state, labels or assignee.",
        input: z.object({
          project,
          number: z.int().describe("The issue's number"),
          state: z.enum(["open", "closed"]).optional().describe("New state"),
          labels: z.array(z.string()).optional().describe("All labels it shall have"),
          assignee: z.string().nullable().optional().describe("User name, or null for nobody"),
        }),
        output: issue,
        handler({ number, state, labels, assignee }) {
          const before = find(number);
          const after = {
            ...before,
            ...(state === undefined ? {} : { state }),
            ...(labels === undefined ? {} : { labels }),
            ...(assignee === undefined ? {} : { assignee }),
          };
          issues.set(number, after);
          record({ toolkit: "tracker", tool: "update-issue", written: { number, state, labels } });
          return after;
        },
      }),
    },
  });
}

const SUBJECTS = ["Login", "Export", "Search", "Sync", "Upload", "Billing page", "Editor"] as const;
const FAULTS = [
  "fails when the session has expired",
  "is slow with more than 500 rows",
  "shows the wrong time zone",
  "loses the selection after a reload",
  "ignores the keyboard on small screens",
  "should remember the last filter",
  "needs a clearer empty state",
] as const;
const PEOPLE = ["mara", "tomas", "ines", "jonas", "priya", "chen", "olu"] as const;
const LABELS = ["bug", "feature", "docs", "performance"] as const;

/** Newest first; every seventh or so is closed. */
export function makeIssues(): readonly TrackedIssue[] {
  const random = new SeededRandom(100);
  return Array.from({ length: 140 }, (_, at): TrackedIssue => {
    const number = 1300 - at;
    const title = `${random.pick(SUBJECTS)} ${random.pick(FAULTS)}`;
    const day = (offset: number): string =>
      new Date(Date.UTC(2026, 10, 10, 8) - offset * 86_400_000).toISOString();
    const age = at + random.integer(0, 2);
    return {
      number,
      title,
      state: at % 7 === 3 || at % 7 === 5 ? "closed" : "open",
      labels: [random.pick(LABELS), `area/${random.integer(1, 6)}`],
      author: random.pick(PEOPLE),
      assignee: random.next() < 0.4 ? null : random.pick(PEOPLE),
      milestone: random.next() < 0.5 ? null : `2026.${random.integer(10, 12)}`,
      comments: random.integer(0, 14),
      created_at: day(age),
      updated_at: day(random.integer(0, age)),
      url: `https://tracker.example/atlas/issues/${number}`,
      body:
        `${title}. Seen by ${random.integer(2, 90)} customers since the release of build ` +
        `${random.integer(3000, 3999)}. To reproduce: open the ${random.pick(SUBJECTS).toLowerCase()} ` +
        `as a member of a large team, wait ${random.integer(2, 20)} minutes and try again. ` +
        `Expected: it works as before. Workaround: sign out and in again.`,
    };
  });
}
