// T5: 20 lists of 60 rows, summed and compared. Called directly, the model reads 1,200 rows.
import {
  type Expense,
  type Member,
  makeExpenses,
  makeMembers,
  TRAVEL_LIMITS,
} from "../toolkits/finance.ts";
import type { Task } from "./task.ts";

const QUARTER = "2026-Q3";

export function joinExpenses(): Task {
  const members = makeMembers();
  const over = overspent(
    members,
    members.map((_, at) => makeExpenses(at)),
  );
  return {
    key: "T5",
    title: "join 20 members × 60 expenses",
    isBatch: true,
    prompt: `Who of the team platform spent more on approved travel in ${QUARTER} than the budget of their level allows? Give name, sum and budget.`,
    answer: say(over),
    needs: ["finance list-members", "finance list-expenses", "finance get-budget"],
    queries: ["team members expenses travel budget"],
    async direct(turn) {
      const [team] = await turn([
        { tool: "finance list-members", input: { team: "platform" } },
        { tool: "finance get-budget", input: { quarter: QUARTER } },
      ]);
      const found = (team as unknown as { members: Member[] }).members;
      const lists = await turn(
        found.map(({ id }) => ({
          tool: "finance list-expenses",
          input: { member_id: id, quarter: QUARTER },
        })),
      );
      const expenses = lists.map((list) => (list as unknown as { expenses: Expense[] }).expenses);
      return say(overspent(found, expenses));
    },
    command: `budget=$(agentos-finance get-budget --quarter ${QUARTER})
agentos-finance list-members --team platform | jq -r '.members[] | "\\(.id) \\(.level) \\(.name)"' | while read -r id level name; do
  agentos-finance list-expenses --member-id $id --quarter ${QUARTER} | jq -r --arg name "$name" --argjson budget "$(jq .$level <<< "$budget")" '[.expenses[] | select(.category == "travel" and .status == "approved").amount] | add | . * 100 | round / 100 | select(. > $budget) | "\\($name) \\(.) \\($budget)"'
done`,
    code: `const [{ members }, budget] = await Promise.all([
  tools.finance.listMembers({ team: "platform" }),
  tools.finance.getBudget({ quarter: "${QUARTER}" }),
]);
const sums = await Promise.all(members.map(async ({ id, name, level }) => {
  const { expenses } = await tools.finance.listExpenses({ member_id: id, quarter: "${QUARTER}" });
  const travel = expenses.filter((e) => e.category === "travel" && e.status === "approved");
  const sum = Math.round(travel.reduce((total, e) => total + e.amount, 0) * 100) / 100;
  return { name, sum, budget: budget[level] };
}));
return sums.filter((s) => s.sum > s.budget).map((s) => \`\${s.name} \${s.sum} \${s.budget}\`);`,
    shows: over.map(({ name, sum, limit }) => `${name} ${sum} ${limit}`),
    writes: [],
  };
}

interface Overspent {
  readonly name: string;
  readonly sum: number;
  readonly limit: number;
}

function overspent(members: readonly Member[], lists: readonly Expense[][]): Overspent[] {
  return members.flatMap(({ name, level }, at) => {
    const travel = (lists[at] ?? []).filter(
      ({ category, status }) => category === "travel" && status === "approved",
    );
    const sum = Math.round(travel.reduce((total, { amount }) => total + amount, 0) * 100) / 100;
    const limit = TRAVEL_LIMITS[level];
    return sum > limit ? [{ name, sum, limit }] : [];
  });
}

function say(over: readonly Overspent[]): string {
  const lines = over.map(({ name, sum, limit }) => `- ${name}: $${sum} of $${limit}`);
  return `${over.length} spent more than their budget:\n${lines.join("\n")}`;
}
