// The arms in which the model runs commands in a VM: the one its connection has without naming any.
import { assertDone, type Task } from "../tasks/task.ts";
import type { Arm, Bench, Trial } from "./arm.ts";
import { ClientSession, type SessionCall } from "./client-session.ts";

/**
 * A model that has never seen these tools: it searches, reads the help of those whose flags the search has
 * not shown, then runs a command.
 */
export const cliCold: Arm = {
  key: "cli-cold",
  title: "CLI, cold",
  run: async (task, bench) =>
    await inVm(task, bench, async (session) => {
      const [found = ""] = await session.turn(exec(searchCommand(task)));
      const unknown = task.needs.filter((tool) => !showsFlags(found, tool));
      if (unknown.length > 0) await session.turn(exec(helpCommand(unknown)));
      return "";
    }),
};

/** A model that has used them before: what help says is in its notes. */
export const cliWarm: Arm = {
  key: "cli-warm",
  title: "CLI, warm",
  run: async (task, bench) =>
    await inVm(task, bench, async (_session, before) => {
      const [help = ""] = await before.turn(exec(helpCommand(task.needs)));
      return help;
    }),
};

/** Resolves to the model's notes. What is done in `before` is done before the conversation. */
type Prepare = (session: ClientSession, before: ClientSession) => Promise<string>;

async function inVm(task: Task, { server, shows }: Bench, prepare: Prepare): Promise<Trial> {
  const connection = await server.connect();
  try {
    const session = new ClientSession(connection, shows);
    const notes = await prepare(session, new ClientSession(connection, shows));
    server.forgetCalls();
    const [shown = ""] = await session.turn(exec(task.command));
    const calls = server.calls();
    assertDone(task, shown, calls);
    const definitions = await connection.definitions();
    const { prompt, answer } = task;
    return { conversation: { definitions, notes, prompt, turns: session.turns, answer }, calls };
  } finally {
    await connection.close();
  }
}

function exec(command: string): SessionCall {
  return { name: "vm_exec", input: { command } };
}

function searchCommand({ queries }: Task): string {
  return queries.map((query) => `agentos search ${query}`).join("; ");
}

/** Whether a line of it is the tool's usage and not just its name. */
function showsFlags(found: string, tool: string): boolean {
  return found.split("\n").some((line) => line.startsWith(`agentos-${tool} --`));
}

function helpCommand(tools: readonly string[]): string {
  return tools.map((tool) => `agentos-${tool} --help`).join("; ");
}
