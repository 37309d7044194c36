import { readSmallFile } from "./name-database.ts";
import { defineProgram } from "./program.ts";
import { uptimeLine } from "./uptime.ts";

export const main = defineProgram(
  {
    name: "w",
    usage: ["[options] [user]"],
    summary:
      "Show who is logged on and what they are doing. Nobody logs into a VM: there is the heading only.",
    options: [
      { short: "f", long: "from", help: "show remote hostname field" },
      { short: "h", long: "no-header", help: "do not print header" },
      { short: "i", long: "ip-addr", help: "display IP address instead of hostname" },
      { short: "o", long: "old-style", help: "old style output" },
      { short: "s", long: "short", help: "short format" },
      { short: "u", long: "no-current", help: "ignore current process username" },
    ],
  },
  async (run) => {
    if (run.has("no-header")) return;
    const { nowMs } = await run.sys.clock();
    const { uptimeMs } = await run.sys.sysinfo();
    const line = await uptimeLine(nowMs, uptimeMs, () => readSmallFile(run.sys, "/proc/loadavg"));
    const from = run.has("from") ? "" : "FROM             ";
    const times = run.has("short") ? "  IDLE WHAT" : "LOGIN@   IDLE   JCPU   PCPU WHAT";
    run.out.addText(`${line}\nUSER     TTY      ${from}${times}\n`);
  },
);
