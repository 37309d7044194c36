import { refuseExtraOperand } from "./options.ts";
import { defineProgram, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "who",
    usage: ["[OPTION]... [ FILE | ARG1 ARG2 ]"],
    summary: "Print who is logged in. Nobody logs into a VM: there are headings and counts only.",
    options: [
      { short: "a", long: "all", help: "same as -b -d --login -p -r -t -T -u" },
      { short: "b", long: "boot", help: "time of last system boot" },
      { short: "d", long: "dead", help: "print dead processes" },
      { short: "H", long: "heading", help: "print line of column headings" },
      { short: "l", long: "login", help: "print system login processes" },
      { long: "lookup", help: "attempt to canonicalize hostnames via DNS" },
      { short: "m", help: "only hostname and user associated with stdin" },
      { short: "p", long: "process", help: "print active processes spawned by init" },
      { short: "q", long: "count", help: "all login names and number of users logged on" },
      { short: "r", long: "runlevel", help: "print current runlevel" },
      { short: "s", long: "short", help: "print only name, line, and time (default)" },
      { short: "t", long: "time", help: "print last system clock change" },
      { short: "T", long: "mesg", help: "add user's message status as +, - or ?" },
      { short: "w", help: "same as -T" },
      { long: "message", help: "same as -T" },
      { long: "writable", help: "same as -T" },
      { short: "u", long: "users", help: "list users logged in" },
    ],
  },
  async (run) => {
    refuseExtraOperand(run.operands, 2);
    if (run.has("count")) run.out.addText("\n# users=0\n");
    else if (run.has("heading")) run.out.addText(heading(run));
  },
);

function heading(run: Run): string {
  const hasMessage = ["all", "mesg", "w", "message", "writable"].some((name) => run.has(name));
  const hasIdle = ["all", "users", "login", "dead"].some((name) => run.has(name));
  const idle = hasIdle ? `IDLE   ${"PID".padStart(10)} ` : "";
  const exit = run.has("all") || run.has("dead") ? "  EXIT" : "";
  const name = hasMessage ? "NAME      " : "NAME    ";
  return `${name} ${"LINE".padEnd(12)} ${"TIME".padEnd(12)} ${idle}COMMENT${exit}\n`;
}
