import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { builtinNames, isBuiltinName, isSpecialBuiltin } from "./builtin-names.ts";
import { writeOutput } from "./echo.ts";

/** `enable`: builtins turned off are looked for as programs. */
export async function enable(shell: Shell, words: readonly string[]): Promise<number> {
  const usage = "enable [-a] [-dnps] [-f filename] [name ...]";
  const flags = await readFlags(shell, words, "adnpsf:", usage);
  if (flags === undefined) return 2;
  const { on, operands, values } = flags;
  const file = values.get("f");
  if (file !== undefined) {
    await shell.complain(
      `enable: cannot open shared object ${file}: ${file}: cannot open shared object file: No such file or directory`,
    );
    return 1;
  }
  if (operands.length === 0) return writeOutput(shell, "enable", list(shell, on));
  let status = 0;
  for (const name of operands) {
    if (!isBuiltinName(name)) {
      await shell.complain(`enable: ${name}: not a shell builtin`);
      status = 1;
    } else if (on.has("n")) {
      shell.disabledBuiltins.add(name);
    } else {
      shell.disabledBuiltins.delete(name);
    }
  }
  return status;
}

function list(shell: Shell, on: ReadonlySet<string>): string {
  return builtinNames()
    .filter((name) => !on.has("s") || isSpecialBuiltin(name))
    .map((name) => ({ name, isOff: shell.disabledBuiltins.has(name) }))
    .filter(({ isOff }) => on.has("a") || isOff === on.has("n"))
    .map(({ name, isOff }) => `enable ${isOff ? "-n " : ""}${name}\n`)
    .join("");
}
