import { defineProgram } from "./program.ts";
import { findStat } from "./run-command.ts";

export const main = defineProgram(
  {
    name: "which",
    usage: ["[-as] program ..."],
    summary: "Locate a command along PATH.",
    options: [
      { short: "a", help: "print all matching pathnames of each argument" },
      { short: "s", help: "print nothing, only answer with the status" },
    ],
  },
  async (run) => {
    const path = (await run.sys.environ()).get("PATH") ?? "";
    if (run.operands.length === 0) return 1;
    for (const name of run.operands) {
      const candidates = name.includes("/")
        ? [name]
        : path.split(":").map((directory) => `${directory === "" ? "." : directory}/${name}`);
      let hasFound = false;
      for (const candidate of candidates) {
        const stat = await findStat(run.sys, candidate);
        if (stat?.kind !== "file" || (stat.mode & 0o111) === 0) continue;
        if (!run.has("s")) run.out.addText(`${candidate}\n`);
        hasFound = true;
        if (!run.has("a")) break;
      }
      if (!hasFound) run.status = 1;
    }
    return undefined;
  },
);
