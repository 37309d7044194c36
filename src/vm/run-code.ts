// Code for a VM without a file of its own: run like a script, or evaluated for a value.
import { randomBytes } from "node:crypto";
import { isKernelError } from "../kernel/index.ts";
import { evaluateScript } from "./evaluate-script.ts";
import { type ExecOptions, type ExecResult, runToEnd } from "./exec-options.ts";
import { HostError } from "./host-error.ts";
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
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
  readonly logs: string;
  /** Whether logs were left out. */
  readonly truncated: boolean;
}

/** The most a value may take as JSON. */
const VALUE_LIMIT_BYTES = 16 * 1024 * 1024;

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
  const file = `/tmp/.evaluation-${randomBytes(12).toString("hex")}`;
  const argv = [
    "node",
    "--disable-warning=ExperimentalWarning",
    "-e",
    evaluateScript,
    "--",
    file,
    language,
    code,
  ];
  const result = await runToEnd(vm, argv, { ...rest, as });
  const logs = result.stdout + result.stderr;
  const { truncated } = result;
  if (result.timedOut) return { status: "timeout", logs, truncated };
  const outcome = await takeOutcome(vm, file, as);
  if (outcome !== undefined) return { ...outcome, logs, truncated };
  return { status: "error", error: describeEnd(result), logs, truncated };
}

type Outcome = Pick<Evaluation, "status" | "value" | "error">;

/** What the script wrote; undefined where it ended before it could. */
async function takeOutcome(
  vm: Vm,
  file: string,
  as: "user" | "root",
): Promise<Outcome | undefined> {
  try {
    const { size } = await vm.files.stat(file, { as });
    if (size > VALUE_LIMIT_BYTES) {
      await vm.files.remove(file, { as });
      throw new HostError("VALUE_TOO_LARGE", { bytes: size, limit: VALUE_LIMIT_BYTES });
    }
    const bytes = await vm.files.read(file, { as });
    await vm.files.remove(file, { as });
    return readOutcome(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    if (isKernelError(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The file is the guest's: it may hold anything. */
function readOutcome(written: unknown): Outcome | undefined {
  if (typeof written !== "object" || written === null) return undefined;
  if (!("error" in written)) {
    return { status: "completed", ...("value" in written ? { value: written.value } : {}) };
  }
  const { error } = written;
  if (typeof error !== "object" || error === null) return undefined;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? value : undefined;
  };
  const stack = text("stack");
  return {
    status: "error",
    error: {
      name: text("name") ?? "Error",
      message: text("message") ?? "",
      ...(stack === undefined ? {} : { stack }),
    },
  };
}

/** Why code ended without a value. */
function describeEnd({ exitCode, signal }: ExecResult): NonNullable<Evaluation["error"]> {
  const how = signal === undefined ? `exited with status ${exitCode}` : `was ended by ${signal}`;
  return { name: "Error", message: `The code ${how} before it had a value` };
}
