import { type Context, createContext, Script } from "node:vm";

/** Runs work here and now that may have to be stopped in the middle: the only way to end a regular expression. */
export class TimeWall {
  #context: Context | undefined;
  #work: (() => void) | undefined;

  /**
   * The outcome, or "late" where `timeoutMs` were not enough. `work` must leave nothing half done that
   * somebody else uses. Costs a thread that watches: about a tenth of a millisecond, more on a busy machine.
   */
  run<T>(timeoutMs: number, work: () => T): T | "late" {
    let outcome: T | "late" = "late";
    this.#work = () => {
      outcome = work();
    };
    this.#context ??= createContext({ run: () => this.#work?.() });
    try {
      script.runInContext(this.#context, { timeout: timeoutMs });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return "late";
    }
    return outcome;
  }
}

const script = new Script("run()");

/** The error is of the context that was stopped, not of ours: no `instanceof`. */
function isTimeout(error: unknown): boolean {
  const code: unknown = Reflect.get(Object(error), "code");
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
