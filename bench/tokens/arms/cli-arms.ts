// The arms in which the model runs commands in a VM.
import { assertDone, type Task } from "../tasks/task.ts";
import type { Arm, Bench, Trial } from "./arm.ts";
import { ClientSession } from "./client-session.ts";

/** A model that has never seen these tools: it makes a VM, searches, reads help, then runs a command. */
export const cliCold: Arm = {
  key: "cli-cold",
  title: "CLI, cold",
  run: async (task, bench) =>
    await inVm(task, bench, async (session, vm) => {
      await session.turn({ name: "vm_create", input: { name: vm } });
      await session.turn(exec(vm, searchCommand(task)));
      await session.turn(exec(vm, helpCommand(task)));
      return "";
    }),
};

/** A model that has used them before: what help said is in its notes, and the VM is there. */
export const cliWarm: Arm = {
  key: "cli-warm",
  title: "CLI, warm",
  run: async (task, bench) =>
    await inVm(task, bench, async (_session, vm, before) => {
      await before.turn({ name: "vm_create", input: { name: vm } });
      const [help = ""] = await before.turn(exec(vm, helpCommand(task)));
      return `Work in the VM "${vm}".\n${help}`;
    }),
};

type Prepare = (session: ClientSession, vm: string, before: ClientSession) => Promise<string>;

async function inVm(task: Task, { server, shows }: Bench, prepare: Prepare): Promise<Trial> {
  const connection = await server.connect();
  const vm = "work";
  try {
    const session = new ClientSession(connection, shows);
    const notes = await prepare(session, vm, new ClientSession(connection, shows));
    server.forgetCalls();
    const [shown = ""] = await session.turn(exec(vm, task.command));
    const calls = server.calls();
    assertDone(task, shown, calls);
    const definitions = await connection.definitions();
    const { prompt, answer } = task;
    return { conversation: { definitions, notes, prompt, turns: session.turns, answer }, calls };
  } finally {
    await connection.call("vm_destroy", { vm_id: vm });
    await connection.close();
  }
}

function exec(vm: string, command: string) {
  return { name: "vm_exec", input: { vm_id: vm, command } };
}

function searchCommand({ queries }: Task): string {
  return queries.map((query) => `agentos search ${query.replaceAll("'", "")}`).join("; ");
}

function helpCommand({ needs }: Task): string {
  return needs.map((tool) => `agentos-${tool} --help`).join("; ");
}
