import { encodeText } from "../../kernel/index.ts";
import { becomeCommand } from "./become-command.ts";
import { isTerminal } from "./is-terminal.ts";
import { writeAll } from "./output.ts";
import { defineProgram, type Run } from "./program.ts";
import { findCommand } from "./run-command.ts";

/** Status of man where there is no page. */
const NOT_FOUND = 16;

const builtins = new Set(
  ". : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown echo enable eval exec exit export false fc fg for function getopts hash help history if jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset until variables wait while".split(
    " ",
  ),
);

// Deviation: there are no manual pages: `man NAME` shows what `NAME --help` says.
export const main = defineProgram(
  {
    name: "man",
    usage: ["[SECTION] PAGE"],
    summary: "Show what a program says of itself with --help; for builtins of the shell, help.",
    options: [
      { short: "k", long: "apropos", help: "search for a name" },
      { short: "f", long: "whatis", help: "search for a name" },
      { short: "w", long: "where", help: "print where the page would be" },
      { long: "path", help: "the same" },
    ],
    hint: (name) => `Try '${name} --help' or '${name} --usage' for more information.\n`,
  },
  async (run) => {
    const name = run.operands.at(-1);
    if (name === undefined)
      return refuse(run, "What manual page do you want?\nFor example, try 'man man'.", 1);
    if (run.operands.length === 1 && /^\d$/.test(name))
      return refuse(
        run,
        `No manual entry for ${name}\n(Alternatively, what manual page do you want from section ${name}?)\nFor example, try 'man man'.`,
        1,
      );
    if (run.has("apropos") || run.has("whatis")) return describe(run, name);
    const path = await findCommand(run.sys, name, (await run.sys.environ()).get("PATH"));
    const pager = (await isTerminal(run.sys, 1)) ? " | less" : "";
    if (path === undefined && !builtins.has(name)) {
      const section = run.operands.length > 1 ? ` in section ${run.operands[0]}` : "";
      return refuse(run, `No manual entry for ${name}${section}`, NOT_FOUND);
    }
    if (run.has("where") || run.has("path")) {
      run.out.addText(`${path ?? name}\n`);
      return 0;
    }
    const script = path === undefined ? `help -- "$1"${pager}` : `"$1" --help${pager}`;
    return becomeCommand(run, ["/bin/bash", "-c", script, "man", name]);
  },
);

async function refuse(run: Run, message: string, status: number): Promise<number> {
  await writeAll(run.sys, 2, encodeText(`${message}\n`));
  return status;
}

/** One line about a program. */
async function describe(run: Run, name: string): Promise<number> {
  const path = await findCommand(run.sys, name, (await run.sys.environ()).get("PATH"));
  if (path === undefined && !builtins.has(name))
    return refuse(run, `${name}: nothing appropriate.`, NOT_FOUND);
  run.out.addText(`${name} (1) - see ${name} --help\n`);
  return 0;
}
