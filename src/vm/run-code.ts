// Code for a VM without a file of its own: run like a script, or evaluated for a value.
import { evaluateCommand, Journal } from "./code-mode/journal.ts";
import type { EvaluationError } from "./code-mode/parse-journal.ts";
import { type ExecOptions, type ExecResult, runToEnd } from "./exec-options.ts";
import type { Vm } from "./vm.ts";

export type Language = "javascript" | "typescript" | "bash";

export interface RunOptions extends ExecOptions {
  /** JavaScript, with types stripped where there are any, unless said otherwise. */
  readonly language?: Language;
  /** The script's arguments: process.argv from 1 on, or $1 and so on. */
  readonly args?: readonly string[];
}

export interface EvaluateOptions extends Omit<ExecOptions, "stdin" | "pty"> {
  readonly language?: Exclude<Language, "bash">;
}

/** What an evaluation came to. `logs` is what the code printed. */
export interface Evaluation {
  readonly status: "completed" | "error" | "timeout";
  /** The value as JSON has it; absent for undefined, and where it did not complete. */
  readonly value?: unknown;
  /** What of the value JSON has no form for, and what was made of it. */
  readonly notes?: readonly string[];
  readonly error?: EvaluationError;
  readonly logs: string;
  /** Whether logs were left out. */
  readonly truncated: boolean;
}

const inputTypes = { javascript: [], typescript: ["--input-type=module-typescript"] } as const;

/** Runs code as a script of its language. */
export function runCode(vm: Vm, code: string, options: RunOptions): Promise<ExecResult> {
  const { language = "javascript", args = [], ...rest } = options;
  const argv =
    language === "bash"
      ? ["bash", "-c", code, "bash", ...args]
      : ["node", ...inputTypes[language], ...evalOption(code), "--", ...args];
  return runToEnd(vm, argv, rest);
}

/** Code that begins like an option is none. */
function evalOption(code: string): readonly string[] {
  return code.startsWith("-") ? [`--eval=${code}`] : ["-e", code];
}

/**
 * Evaluates an expression, or the body of an async function, and answers its value. The code's end is
 * the process's end, whatever it has left running.
 */
export async function evaluateCode(
  vm: Vm,
  code: string,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const { language = "javascript", as = "user", ...rest } = options;
  const journal = new Journal(vm, as);
  const stdin = journal.request({ code, language });
  const result = await runToEnd(vm, evaluateCommand, { ...rest, as, stdin });
  const logs = result.stdout + result.stderr;
  const { truncated } = result;
  const { outcome } = await journal.take();
  if (result.timedOut) return { status: "timeout", logs, truncated };
  if (outcome !== undefined) return { ...outcome, logs, truncated };
  return { status: "error", error: describeEnd(result), logs, truncated };
}

/** Why code ended without a value. */
export function describeEnd({
  exitCode,
  signal,
}: Pick<ExecResult, "exitCode" | "signal">): EvaluationError {
  const how = signal === undefined ? `exited with status ${exitCode}` : `was ended by ${signal}`;
  return { name: "Error", message: `The code ${how} before it had a value` };
}
