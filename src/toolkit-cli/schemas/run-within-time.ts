import { runInNewContext } from "node:vm";

/**
 * Runs `work` here and now, and stops it after `timeoutMs`, in the middle of whatever it does: the only way to
 * end a regular expression. `work` must leave nothing half done that somebody else uses.
 */
export function runWithinTime<T>(timeoutMs: number, work: () => T): T {
  let outcome: { readonly value: T } | undefined;
  runInNewContext(
    "run()",
    {
      run: () => {
        outcome = { value: work() };
      },
    },
    { timeout: timeoutMs },
  );
  if (outcome === undefined) throw new Error("The work did not run.");
  return outcome.value;
}

/** Whether `runWithinTime` threw it for the time that was over. */
export function isTooSlow(error: unknown): boolean {
  // It is an Error of the context that was stopped, not of ours.
  const code: unknown = Reflect.get(Object(error), "code");
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
