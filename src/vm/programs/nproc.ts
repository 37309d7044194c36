import { readSmallFile } from "./name-database.ts";
import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "nproc",
    usage: ["[OPTION]..."],
    summary:
      "Print the number of processing units available to the current process,\nwhich may be less than the number of online processors",
    options: [
      { long: "all", help: "print the number of installed processors" },
      { long: "ignore", value: "N", help: "if possible, exclude N processing units" },
    ],
  },
  async (run) => {
    refuseExtraOperand(run.operands);
    const ignored = run.options.get("ignore") ?? "0";
    if (!/^\d+$/.test(ignored))
      throw new UsageError(`invalid number: ${quoteName(ignored)}`, { hasHint: false });
    const listed = (await readSmallFile(run.sys, "/proc/cpuinfo")) ?? "";
    const installed = Math.max(1, listed.match(/^processor/gm)?.length ?? 0);
    const environment = await run.sys.environ();
    const wanted = run.has("all") ? undefined : positive(environment.get("OMP_NUM_THREADS"));
    const limit = run.has("all") ? undefined : positive(environment.get("OMP_THREAD_LIMIT"));
    const count = Math.min(wanted ?? installed, limit ?? Number.POSITIVE_INFINITY);
    run.out.addText(`${Math.max(1, count - Number(ignored))}\n`);
  },
);

function positive(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? "", 10);
  return value > 0 ? value : undefined;
}
