import { findSignalNumber, isKernelError, signals } from "../../kernel/index.ts";
import { type OptionRow, UsageError } from "./options.ts";
import { selectionOptions, selectProcesses } from "./process-selection.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";

const listing: readonly OptionRow[] = [
  { short: "d", long: "delimiter", value: "STRING", help: "specify output delimiter" },
  { short: "l", long: "list-name", help: "list PID and process name" },
  { short: "a", long: "list-full", help: "list PID and full command line" },
  { short: "w", long: "lightweight", help: "(ignored: there are no other threads)" },
];

const signalling: readonly OptionRow[] = [
  { long: "signal", value: "SIGNAL", help: "signal to send (either number or name)" },
  { short: "e", long: "echo", help: "display what is killed" },
  { short: "q", long: "queue", value: "VALUE", help: "(ignored)" },
];

const grep = defineProgram(
  {
    name: "pgrep",
    usage: ["[options] <pattern>"],
    summary: "Look up processes by name and other attributes.",
    options: [...listing, ...selectionOptions],
    refusal: 2,
    hint: (name) => `Try \`${name} --help' for more information.\n`,
  },
  list,
);

const kill = defineProgram(
  {
    name: "pkill",
    usage: ["[options] <pattern>"],
    summary: "Signal processes by name and other attributes. A signal is -SIGNAL or --signal.",
    options: [...signalling, ...selectionOptions],
    refusal: 2,
    hint: (name) => `Try \`${name} --help' for more information.\n`,
  },
  signal,
);

/** `pgrep` and `pkill`: one choice of processes, shown or signalled. */
export const main: typeof grep = async (sys, argv) => {
  const name = (argv[0] ?? "").replace(/^.*\//s, "");
  if (name !== "pkill") return grep(sys, argv);
  return kill(sys, argv.map(spellSignal));
};

/** `-9` and `-HUP` as `--signal=…`. */
function spellSignal(word: string, at: number): string {
  const text = /^-(\d+|[A-Z][A-Z0-9]+)$/.exec(word)?.[1];
  return at === 0 || text === undefined || findSignalNumber(text) === undefined
    ? word
    : `--signal=${text}`;
}

async function list(run: Run): Promise<number> {
  const rows = await selectProcesses(run);
  if (run.has("count")) {
    run.out.addText(`${rows.length}\n`);
    return rows.length === 0 ? 1 : 0;
  }
  const shown = rows.map(({ pid, comm, args }) => {
    if (run.has("list-full")) return `${pid} ${args}`;
    return run.has("list-name") ? `${pid} ${comm}` : String(pid);
  });
  if (shown.length > 0) run.out.addText(`${shown.join(run.options.get("delimiter") ?? "\n")}\n`);
  return rows.length === 0 ? 1 : 0;
}

async function signal(run: Run): Promise<number> {
  const text = run.options.get("signal");
  const number = text === undefined ? signals.SIGTERM : findSignalNumber(text);
  if (number === undefined) throw new UsageError(`Unknown signal: ${text}`);
  const rows = await selectProcesses(run);
  let sent = 0;
  for (const { pid, comm } of rows) {
    try {
      await run.sys.kill(pid, number);
      sent += 1;
      if (run.has("echo")) run.out.addText(`${comm} killed (pid ${pid})\n`);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno !== "ESRCH")
        await run.warn(`killing pid ${pid} failed: ${errorWords(error)}`);
    }
  }
  if (run.has("count")) run.out.addText(`${sent}\n`);
  return sent === 0 ? 1 : 0;
}
