/** `jq`: filters JSON. */
import { encodeText, type Program, type Sys } from "../../../kernel/index.ts";
import { isTerminal } from "../is-terminal.ts";
import { MemoryLimitError } from "../memory-limit.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { RegExpTooComplexError } from "../regexp/errors.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { makeGlobals } from "./globals.ts";
import { helpText, shortHelp } from "./help.ts";
import type { Code } from "./machine.ts";
import { compileProgram, readProgram } from "./program-text.ts";
import { describeSyntaxError } from "./report-problem.ts";
import { Runner } from "./runner.ts";
import { JqSyntaxError } from "./syntax.ts";
import { writeStyle } from "./write-style.ts";

export const main: Program = async (sys, argv) => {
  try {
    return await run(sys, readCommandLine(argv.slice(1)));
  } catch (error) {
    if (error instanceof UsageError) {
      await writeAll(sys, 2, encodeText(`jq: ${error.message}\n`));
      return error.status ?? 2;
    }
    if (error instanceof RegExpTooComplexError || error instanceof MemoryLimitError) {
      await writeAll(sys, 2, encodeText(`jq: error: ${error.message}\n`));
      return 5;
    }
    throw error;
  }
};

async function run(sys: Sys, line: CommandLine): Promise<number> {
  const { flags } = line;
  if (flags.has("help")) {
    await writeAll(sys, 1, encodeText(helpText));
    return 0;
  }
  if (flags.has("version")) {
    await writeAll(sys, 1, encodeText("jq-1.7.1\n"));
    return 0;
  }
  const isInteractive = (await isTerminal(sys, 0)) || (await isTerminal(sys, 1));
  if (line.program === undefined && isInteractive) {
    await writeAll(sys, 2, encodeText(shortHelp));
    return 2;
  }
  const globals = await makeGlobals(sys, line);
  const text = flags.has("from-file")
    ? await readProgram(sys, line.program ?? "")
    : (line.program ?? ".");
  const libraries = line.libraries.length > 0 ? line.libraries : [".", "/usr/lib/jq"];
  let code: Code;
  try {
    code = await compileProgram(sys, text, globals, libraries);
  } catch (error) {
    const problem = error instanceof RangeError ? new JqSyntaxError("program too deep", 0) : error;
    if (!(problem instanceof JqSyntaxError)) throw error;
    await writeAll(sys, 2, encodeText(describeSyntaxError(problem, text)));
    return 3;
  }
  const style = await writeStyle(sys, line);
  return new Runner(sys, line, code, style).run();
}
