import { encodeText, type Program } from "../../kernel/index.ts";
import { interpreter } from "../shell/run/interpreter.ts";
import { Shell } from "../shell/state/shell.ts";
import { helpText, type ProgramTable, versionText } from "./options.ts";
import { writeAll } from "./output.ts";
import { evaluateExpression, TestExpressionError } from "./test-expression.ts";

const table: ProgramTable = {
  name: "[",
  usage: ["EXPRESSION ]", "]", "OPTION"],
  summary: "Exit with the status determined by EXPRESSION: see `help test` in the shell.",
  options: [],
};

/** `test` and `[` as programs: coreutils' expressions, with a shell's tests of files. */
export const main: Program = async (sys, argv) => {
  const name = (argv[0] ?? "test").replace(/^.*\//s, "");
  const say = async (message: string): Promise<number> => {
    await writeAll(sys, 2, encodeText(`${argv[0] ?? "test"}: ${message}\n`));
    return 2;
  };
  if (name === "[" && argv.length === 2 && (argv[1] === "--help" || argv[1] === "--version")) {
    await writeAll(sys, 1, encodeText(argv[1] === "--help" ? helpText(table) : versionText(table)));
    return 0;
  }
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
    const words = name === "[" ? argv.slice(1, -1) : argv.slice(1);
    return (await evaluateExpression(shell, words)) ? 0 : 1;
  } catch (error) {
    if (error instanceof TestExpressionError) return say(error.message);
    throw error;
  }
};
