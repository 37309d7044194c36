import { UsageError } from "./options.ts";
import { listProcesses } from "./process-list.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "pidof",
    usage: ["[options] [program [...]]"],
    summary: "Find the process IDs of running programs, newest first.",
    options: [
      { short: "s", long: "single-shot", help: "return one PID only" },
      { short: "q", help: "quiet mode, only set the exit code" },
      { short: "c", long: "check-root", help: "(ignored)" },
      { short: "w", long: "with-workers", help: "(ignored)" },
      { short: "x", help: "also find shells running the named scripts" },
      { short: "o", long: "omit-pid", value: "PID,...", help: "omit processes with PID" },
      {
        short: "S",
        long: "separator",
        value: "SEP",
        help: "use SEP as separator put between PIDs",
      },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("", { hasHint: false });
    const omitted = run.options.all("omit-pid").flatMap((list) => list.split(","));
    const names = run.operands.map((name) => name.replace(/^.*\//s, ""));
    const found = (await listProcesses(run.sys)).filter(({ pid, comm, args }) => {
      if (omitted.includes(String(pid))) return false;
      const script = args.split(" ")[1]?.replace(/^.*\//s, "") ?? "";
      return names.includes(comm) || (run.has("x") && names.includes(script));
    });
    const pids = found.map(({ pid }) => pid).toReversed();
    const shown = run.has("single-shot") ? pids.slice(0, 1) : pids;
    if (shown.length === 0) return 1;
    if (!run.has("q")) run.out.addText(`${shown.join(run.options.get("separator") ?? " ")}\n`);
    return 0;
  },
);
