import type { HostCommand } from "../toolkit-cli/index.ts";
import { HostError } from "./host-error.ts";
import { COMMAND_NAME_CHARACTERS } from "./wire/messages.ts";

/** Host commands of one VM: each is a file. */
const COMMANDS_LIMIT = 500;

/** `agentos` and `agentos-<toolkit>` are toolkits'. Fails with VM_OPTIONS_INVALID. */
export function checkCommands(commands: readonly HostCommand[]): void {
  if (!Array.isArray(commands)) throw wrong("it is a list of host commands");
  if (commands.length > COMMANDS_LIMIT) throw wrong(`there are more than ${COMMANDS_LIMIT}`);
  const names = new Set<string>();
  for (const { name, run } of commands) {
    if (!isCommandName(name)) throw wrong(`"${String(name).slice(0, 80)}" cannot be a command`);
    if (typeof run !== "function") throw wrong(`"${name}" has no function to run`);
    if (names.has(name)) throw wrong(`two commands are called "${name}"`);
    names.add(name);
  }
}

function isCommandName(name: unknown): boolean {
  return (
    typeof name === "string" &&
    name.length <= COMMAND_NAME_CHARACTERS &&
    /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(name) &&
    name !== "agentos" &&
    !name.startsWith("agentos-")
  );
}

function wrong(problem: string): HostError {
  return new HostError("VM_OPTIONS_INVALID", { problem: `commands: ${problem}` });
}
