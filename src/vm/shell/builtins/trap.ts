import { findSignalNumber, signals } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { findCondition } from "../state/traps.ts";
import { readFlags } from "./builtin.ts";
import { listSignals } from "./kill.ts";

export async function trap(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "lp", "trap [-lp] [[arg] signal_spec ...]");
  if (flags === undefined) return 2;
  if (flags.on.has("l")) return listSignals(shell);
  const [first, ...rest] = flags.operands;
  if (first === undefined || flags.on.has("p")) return show(shell, flags.operands);
  const isReset =
    first === "-" ||
    (rest.length === 0 && findCondition(first) !== undefined) ||
    (/^\d+$/.test(first) && rest.length > 0);
  const conditions = isReset && first !== "-" ? flags.operands : rest;
  if (conditions.length === 0) {
    await shell.write(2, "trap: usage: trap [-lp] [[arg] signal_spec ...]\n");
    return 2;
  }
  let status = 0;
  for (const text of conditions) {
    const condition = findCondition(text);
    if (condition === undefined) {
      await shell.complain(`trap: ${text}: invalid signal specification`);
      status = 1;
    } else {
      await setTrap(shell, condition, isReset ? undefined : first);
    }
  }
  return status;
}

async function setTrap(
  shell: Shell,
  condition: string,
  command: string | undefined,
): Promise<void> {
  if (command === undefined) shell.traps.delete(condition);
  else shell.traps.set(condition, command);
  const signal = condition.startsWith("SIG") ? findSignalNumber(condition) : undefined;
  if (signal === undefined || signal === signals.SIGKILL || signal === signals.SIGSTOP) return;
  await shell.sys.sigaction(
    signal,
    command === undefined ? "default" : command === "" ? "ignore" : "catch",
  );
}

async function show(shell: Shell, wanted: readonly string[]): Promise<number> {
  const names = wanted.map((text) => findCondition(text) ?? text);
  const all = shell.traps.list();
  const shown =
    names.length === 0
      ? all
      : names.flatMap((name) => all.filter(([condition]) => condition === name));
  const isPosix = shell.options.has("posix");
  const lines = shown.map(([condition, command]) => {
    const name = isPosix ? condition.replace(/^SIG/, "") : condition;
    return `trap -- '${command.replaceAll("'", "'\\''")}' ${name}\n`;
  });
  await shell.write(1, lines.join(""));
  return 0;
}
