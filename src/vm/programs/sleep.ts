import { isKernelError } from "../../kernel/index.ts";
import { parseDuration } from "./duration.ts";
import { UsageError } from "./options.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "sleep",
    usage: ["NUMBER[SUFFIX]...", "OPTION"],
    summary:
      "Pause for NUMBER seconds. SUFFIX may be 's' for seconds (the default),\n'm' for minutes, 'h' for hours or 'd' for days. Given two or more arguments,\npause for the amount of time specified by the sum of their values.",
    options: [],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    let totalMs = 0;
    for (const operand of run.operands) {
      const durationMs = parseDuration(operand);
      if (durationMs === undefined) throw new UsageError(`invalid time interval '${operand}'`);
      totalMs += durationMs;
    }
    const { monotonicMs } = await run.sys.clock();
    for (let leftMs = totalMs; leftMs > 0; ) {
      try {
        await run.sys.nanosleep(Math.min(leftMs, 2 ** 31));
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
      leftMs = totalMs - ((await run.sys.clock()).monotonicMs - monotonicMs);
    }
  },
);
