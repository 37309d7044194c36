import { encodeText, findSignalNumber, isKernelError, signals } from "../../kernel/index.ts";
import { askYes } from "./ask-yes.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { listProcesses, type ProcessRow } from "./process-list.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { TextRegExp } from "./regexp/text-regexp.ts";
import { listSignals } from "./signal-list.ts";

const program = defineProgram(
  {
    name: "killall",
    usage: ["[OPTION]... [--] NAME...", "-l, --list"],
    summary: "Send a signal to every process that runs a command of that name.",
    options: [
      { short: "e", long: "exact", help: "require exact match for very long names" },
      { short: "I", long: "ignore-case", help: "case insensitive process name match" },
      { short: "g", long: "process-group", help: "kill process group instead of process" },
      { short: "i", long: "interactive", help: "ask for confirmation before killing" },
      { short: "l", long: "list", help: "list all known signal names" },
      { short: "q", long: "quiet", help: "don't print complaints" },
      { short: "r", long: "regexp", help: "interpret NAME as an extended regular expression" },
      { short: "s", long: "signal", value: "SIGNAL", help: "send this signal instead of SIGTERM" },
      { short: "u", long: "user", value: "USER", help: "kill only process(es) running as USER" },
      { short: "v", long: "verbose", help: "report if the signal was successfully sent" },
      { short: "w", long: "wait", help: "wait for processes to die" },
    ],
  },
  async (run) => {
    if (run.has("list")) {
      run.out.addText(listSignals());
      return 0;
    }
    if (run.operands.length === 0)
      throw new UsageError("no process selection criteria", { hasHint: true });
    const text = run.options.get("signal");
    const signal = text === undefined ? signals.SIGTERM : findSignalNumber(text);
    if (signal === undefined) {
      await writeAll(
        run.sys,
        2,
        encodeText(`${text}: unknown signal; killall -l lists signals.
`),
      );
      return 1;
    }
    const rows = (await listProcesses(run.sys)).filter(({ state }) => state !== "Z");
    let isWhole = true;
    for (const name of run.operands)
      if (!(await killNamed(run, rows, name, signal))) isWhole = false;
    return isWhole ? 0 : 1;
  },
);

/** `-9` and `-HUP` are the signal. */
export const main: typeof program = (sys, argv) =>
  program(
    sys,
    argv.map((word, at) => {
      const text = /^-(\d+|(?:SIG)?[A-Z][A-Z0-9]+)$/.exec(word)?.[1];
      return at > 0 && text !== undefined && findSignalNumber(text) !== undefined
        ? `--signal=${text}`
        : word;
    }),
  );

async function killNamed(
  run: Run,
  rows: readonly ProcessRow[],
  name: string,
  signal: number,
): Promise<boolean> {
  const own = await run.sys.getpid();
  const matches = matcher(run, name);
  let sent = 0;
  for (const row of rows) {
    if (row.pid === own || !matches(row.comm)) continue;
    if (run.has("interactive") && !(await askYes(run, `Kill ${row.comm}(${row.pid}) ? (y/N) `)))
      continue;
    try {
      await run.sys.kill(run.has("process-group") ? -row.pgid : row.pid, signal);
      sent += 1;
      if (run.has("verbose"))
        await run.warn(`Killed ${row.comm}(${row.pid}) with signal ${signal}`);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (!run.has("quiet")) await run.warn(`${row.comm}(${row.pid}): ${errorWords(error)}`);
    }
  }
  if (sent === 0 && !run.has("quiet"))
    await writeAll(
      run.sys,
      2,
      encodeText(`${name}: no process found
`),
    );
  return sent > 0;
}

function matcher(run: Run, name: string): (comm: string) => boolean {
  const wanted = name.replace(/^.*\//s, "").slice(0, 15);
  if (run.has("regexp")) {
    const regExp = new TextRegExp(name, {
      syntax: "extended",
      ignoreCase: run.has("ignore-case"),
    });
    return (comm) => regExp.test(comm);
  }
  if (!run.has("ignore-case")) return (comm) => comm === wanted;
  return (comm) => comm.toLowerCase() === wanted.toLowerCase();
}
