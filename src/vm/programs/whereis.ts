import { UsageError } from "./options.ts";
import { defineProgram } from "./program.ts";
import { findStat } from "./run-command.ts";

const places = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"];

export const main = defineProgram(
  {
    name: "whereis",
    usage: ["[options] [-BMS <dir>... -f] <name>"],
    summary: "Locate the binary, source, and manual-page files for a command.",
    options: [
      { short: "b", help: "search only for binaries" },
      { short: "m", help: "search only for manuals and infos" },
      { short: "s", help: "search only for sources" },
    ],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("not enough arguments");
    for (const operand of run.operands) {
      const name = operand.replace(/^.*\//s, "");
      const found: string[] = [];
      const isBinary = run.has("b") || !(run.has("m") || run.has("s"));
      const seen = new Set<string>();
      for (const place of isBinary ? places : []) {
        const stat = await findStat(run.sys, `${place}/${name}`);
        if (stat?.kind !== "file" || seen.has(`${stat.dev}:${stat.ino}`)) continue;
        seen.add(`${stat.dev}:${stat.ino}`);
        found.push(`${place}/${name}`);
      }
      run.out.addText(`${[`${name}:`, ...found].join(" ")}\n`);
    }
  },
);
