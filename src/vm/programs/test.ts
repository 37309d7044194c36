import { encodeText, type Program } from "../../kernel/index.ts";
import { evaluateOperands } from "../shell/builtins/test.ts";
import { interpreter } from "../shell/run/interpreter.ts";
import { Shell } from "../shell/state/shell.ts";
import { ShellError } from "../shell/state/shell-error.ts";
import { writeAll } from "./output.ts";

/** `test` and `[` as programs: the builtin's expressions, in a shell with nothing in it. */
export const main: Program = async (sys, argv) => {
  const name = (argv[0] ?? "test").replace(/^.*\//s, "");
  const say = async (message: string): Promise<number> => {
    await writeAll(sys, 2, encodeText(`${name}: ${message}\n`));
    return 2;
  };
  if (name === "[" && argv.at(-1) !== "]") return say("missing ']'");
  const shell = new Shell({
    sys,
    interpreter,
    name,
    positional: [],
    environment: new Map(),
    pid: 0,
  });
  try {
    return (await evaluateOperands(shell, name === "[" ? argv.slice(1, -1) : argv.slice(1)))
      ? 0
      : 1;
  } catch (error) {
    if (error instanceof ShellError) return say(error.message);
    throw error;
  }
};
