// Teams and what their members spend: 20 members with 60 expenses each.
import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { RecordCall } from "./call-record.ts";
import { SeededRandom } from "./seeded-random.ts";

const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  level: z.enum(["junior", "senior", "lead"]),
});
const expense = z.object({
  id: z.string(),
  date: z.string(),
  category: z.enum(["travel", "meals", "software", "hardware"]),
  description: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.enum(["approved", "pending", "rejected"]),
});

export type Member = z.output<typeof member>;
export type Expense = z.output<typeof expense>;

/** What a quarter's travel may cost, in dollars. */
export const TRAVEL_LIMITS = { junior: 3600, senior: 4200, lead: 5000 };

export function finance(record: RecordCall): Toolkit {
  const members = makeMembers();
  return toolkit("finance", {
    description: "Teams, expenses and budgets",
    tools: {
      listMembers: tool({
        description: "List the members of a team.",
        readOnly: true,
        input: z.object({ team: z.string().describe("The team's name") }),
        output: z.object({ members: z.array(member) }),
        handler() {
          record({ toolkit: "finance", tool: "list-members" });
          return { members };
        },
      }),
      listExpenses: tool({
        description: "List a member's expenses in a quarter.",
        readOnly: true,
        input: z.object({
          member_id: z.string().describe("The member's id"),
          quarter: z
            .string()
            .regex(/^\d{4}-Q[1-4]$/)
            .describe("Such as 2026-Q3"),
        }),
        output: z.object({ expenses: z.array(expense) }),
        handler({ member_id }) {
          record({ toolkit: "finance", tool: "list-expenses" });
          const at = members.findIndex(({ id }) => id === member_id);
          if (at < 0) throw new ToolError("failed", `There is no member ${member_id}.`);
          return { expenses: makeExpenses(at) };
        },
      }),
      getBudget: tool({
        description: "Get the travel budgets of a quarter by level, in dollars.",
        readOnly: true,
        input: z.object({ quarter: z.string().describe("Such as 2026-Q3") }),
        output: z.object({ junior: z.number(), senior: z.number(), lead: z.number() }),
        handler() {
          record({ toolkit: "finance", tool: "get-budget" });
          return TRAVEL_LIMITS;
        },
      }),
    },
  });
}

const FIRST_NAMES = [
  "Ada",
  "Ben",
  "Cleo",
  "Dev",
  "Eli",
  "Fay",
  "Gus",
  "Hana",
  "Ivo",
  "Jun",
] as const;
const LAST_NAMES = ["Moreno", "Okafor"] as const;

export function makeMembers(): Member[] {
  const random = new SeededRandom(20);
  return LAST_NAMES.flatMap((last) =>
    FIRST_NAMES.map((first) => {
      const name = `${first} ${last}`;
      const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
      return {
        id: `m-${first.toLowerCase()}-${last.toLowerCase().slice(0, 2)}`,
        name,
        email,
        role: random.pick(["engineer", "designer", "analyst"]),
        level: random.pick(["junior", "senior", "lead"]),
      };
    }),
  );
}

export function makeExpenses(member: number): Expense[] {
  const random = new SeededRandom(60 + member);
  return Array.from({ length: 60 }, (_, at) => {
    const category = random.pick(["travel", "meals", "software", "hardware"]);
    return {
      id: `x-${member}-${at}`,
      date: `2026-0${random.integer(7, 9)}-${String(random.integer(1, 28)).padStart(2, "0")}`,
      category,
      description: `${category} for project ${random.pick(["atlas", "borealis", "cirrus"])}`,
      amount: random.integer(2000, 65_000) / 100,
      currency: "USD",
      status: random.pick(["approved", "approved", "approved", "pending", "rejected"]),
    };
  });
}
