import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { withSubscripts } from "../state/subscript.ts";

export async function letBuiltin(shell: Shell, words: readonly string[]): Promise<number> {
  const expressions = words[1] === "--" ? words.slice(2) : words.slice(1);
  if (expressions.length === 0) {
    await shell.complain("let: expression expected");
    return 1;
  }
  let value = 0n;
  for (const expression of expressions) {
    await askKernel(shell, expression);
    try {
      value = await withSubscripts(shell, () => shell.interpreter.evaluate(shell, expression));
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      const isReadonly = error.message.endsWith("readonly variable");
      await shell.complain(isReadonly ? error.message : `let: ${error.message}`);
      return 1;
    }
  }
  return value === 0n ? 1 : 0;
}
