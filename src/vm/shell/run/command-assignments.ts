/** The assignments before a command: they hold, exported, while it runs. */
import { assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import type { Assignment } from "../syntax/ast.ts";
import {
  applyAssignment,
  describeAssignment,
  type PreparedAssignment,
  prepareAssignment,
} from "./assignments.ts";
import { traceCommand } from "./trace.ts";

export type CommandAssignment = Assignment | PreparedAssignment;

/** Runs `step` while the assignments hold, in a scope of their own. */
export function withAssignments(
  shell: Shell,
  assignments: readonly CommandAssignment[],
  step: () => Promise<number>,
): Promise<number> {
  return assignments.length === 0 ? step() : assigned(shell, assignments, step);
}

async function assigned(
  shell: Shell,
  assignments: readonly CommandAssignment[],
  step: () => Promise<number>,
): Promise<number> {
  shell.variables.pushScope("command");
  try {
    for (const written of assignments) await assignHere(shell, written);
    return await step();
  } finally {
    shell.variables.popScope();
  }
}

/** Expands the assignments once and shows each, as `set -x` does before a command. */
export async function traceAssignments(
  shell: Shell,
  assignments: readonly Assignment[],
): Promise<PreparedAssignment[]> {
  const prepared: PreparedAssignment[] = [];
  if (assignments.length === 0) return prepared;
  shell.variables.pushScope("command");
  try {
    for (const written of assignments) {
      const assignment = await assignHere(shell, written);
      prepared.push(assignment);
      await traceCommand(shell, describeAssignment(assignment));
    }
  } finally {
    shell.variables.popScope();
  }
  return prepared;
}

async function assignHere(shell: Shell, written: CommandAssignment): Promise<PreparedAssignment> {
  const { variables } = shell;
  const assignment = asText("kind" in written ? await prepareAssignment(shell, written) : written);
  if (variables.find(assignment.name)?.isReadonly === true) {
    await shell.complain(`${assignment.name}: readonly variable`);
    return assignment;
  }
  const before = variables.get(assignment.name);
  const variable = variables.ensureInnermost(assignment.name);
  if (assignment.isAppend) variable.value = before;
  applyAssignment(shell, assignment);
  variable.isExported = true;
  variables.changed();
  return assignment;
}

/** An array cannot be exported: before a command it is its own text. */
function asText(assignment: PreparedAssignment): PreparedAssignment {
  const { value, text } = assignment;
  if (typeof value === "string" || text === undefined) return assignment;
  return { ...assignment, value: text.slice(text.indexOf("=") + 1) };
}

/** The exported variables with the assignments before the command; undefined where there are none. */
export async function commandEnvironment(
  shell: Shell,
  assignments: readonly CommandAssignment[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (assignments.length === 0) return undefined;
  let environment: ReadonlyMap<string, string> = new Map();
  await withAssignments(shell, assignments, async () => {
    environment = new Map(shell.variables.environment());
    return 0;
  });
  return environment;
}

/** Runs `step` while the assignments hold; what it leaves of them stays, as with a special builtin. */
export async function keepingAssignments(
  shell: Shell,
  assignments: readonly CommandAssignment[],
  step: () => Promise<number>,
): Promise<number> {
  if (assignments.length === 0) return step();
  const { variables } = shell;
  const left = new Map<string, string>();
  const status = await withAssignments(shell, assignments, async () => {
    const answer = await step();
    for (const { name } of assignments) {
      const value = variables.findTemporary(name)?.value;
      if (typeof value === "string") left.set(name, value);
    }
    return answer;
  });
  for (const [name, value] of left) {
    assignScalar(shell, name, value);
    variables.ensure(name).isExported = true;
  }
  if (left.size > 0) variables.changed();
  return status;
}
