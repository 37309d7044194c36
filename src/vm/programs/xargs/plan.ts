import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";

/** Bytes of one command line, below the VM's limit for arguments. */
const COMMAND_BYTES = 131_072;

export interface Plan {
  /** What an item takes the place of. */
  readonly mark: string | undefined;
  readonly most: number;
  readonly lines: number;
  readonly limit: number;
  /** The item that ends the input. */
  readonly end: string | undefined;
}

/** Of -I, -L and -n the last counts. */
export async function readPlan(run: Run): Promise<Plan> {
  const { options } = run;
  const most = positive("n", options.get("max-args"));
  const lines = positive(
    "L",
    options.get("max-lines") ?? (options.get("l") || (options.has("l") ? "1" : undefined)),
  );
  const limit = positive("s", options.get("max-chars"));
  const given =
    options.get("replace") ?? (options.get("i") || (options.has("i") ? "{}" : undefined));
  const last = options.last("replace", "i", "max-lines", "l", "max-args");
  const isReplacing = last === "replace" || last === "i";
  if (isReplacing && lines !== Number.POSITIVE_INFINITY)
    await warnExclusive(run, "--max-lines", "--replace/-I/-i", "--max-lines");
  if (isReplacing && most !== Number.POSITIVE_INFINITY)
    await warnExclusive(run, "--max-args", "--replace/-I/-i", "--max-args");
  const keepsMark = given !== undefined && (isReplacing || most === 1);
  if (given !== undefined && !keepsMark && last === "max-args")
    await warnExclusive(run, "--replace", "--max-args/-n", "--replace");
  return {
    mark: keepsMark ? given : undefined,
    most: keepsMark ? Number.POSITIVE_INFINITY : most,
    lines: keepsMark ? Number.POSITIVE_INFINITY : lines,
    limit: Math.min(limit, COMMAND_BYTES),
    end: options.get("E") ?? (options.get("eof") || undefined),
  };
}

async function warnExclusive(run: Run, one: string, other: string, ignored: string): Promise<void> {
  await run.warn(
    `warning: options ${one} and ${other} are mutually exclusive, ignoring previous ${ignored} value`,
  );
}

function positive(letter: string, text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^\d+$/.test(text)) throw new UsageError(`invalid number "${text}" for -${letter} option`);
  if (Number(text) < 1) throw new UsageError(`value ${text} for -${letter} option should be >= 1`);
  return Number(text);
}
