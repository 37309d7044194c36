// URLPattern, by the cell's own Node. A pattern is made anew for each call: nothing is kept.
import { types } from "node:util";
import { createContext, Script } from "node:vm";
import { KernelError } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { type Arguments, list, maybe, record, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";

/** A regular expression of the guest's may take so long. */
const MATCH_LIMIT_MS = 100;

export const urlPatternCalls: Calls = {
  /** Its parts, or the error of its constructor. */
  urlPattern(_, args) {
    try {
      const pattern = make(args);
      return { parts: parts.map((name) => pattern[name]), hasGroups: pattern.hasRegExpGroups };
    } catch (error) {
      return failureOf(error);
    }
  },
  /** What matches; null where nothing does. */
  urlPatternExec(_, args) {
    try {
      const pattern = make(list(args, 0));
      const [input, base] = [inputOf(args, 1), maybe(text, args, 2)];
      const run = (): URLPatternResult | null =>
        base === undefined ? pattern.exec(input) : pattern.exec(input, base);
      const result = pattern.hasRegExpGroups ? inTime(run) : run();
      return { result: toPacked(result) };
    } catch (error) {
      return failureOf(error);
    }
  },
};

const parts = [
  "protocol",
  "username",
  "password",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

/** input, base, whether case is ignored. */
function make(args: Arguments): URLPattern {
  const [input, base, ignoreCase] = [inputOf(args, 0), maybe(text, args, 1), args[2] === true];
  return base === undefined
    ? new URLPattern(input, { ignoreCase })
    : new URLPattern(input, base, { ignoreCase });
}

function inputOf(args: Arguments, at: number): string | URLPatternInit {
  if (typeof args[at] === "string") return args[at];
  const members = Object.entries(record(args, at));
  return Object.fromEntries(members.map(([name, value]) => [name, text([value], 0)]));
}

const script = new Script("run()");

/** Runs it, and ends it when it takes too long. */
function inTime<Value>(run: () => Value): Value | null {
  let result: Value | null = null;
  const context = createContext({
    run: () => {
      result = run();
    },
  });
  try {
    script.runInContext(context, { timeout: MATCH_LIMIT_MS });
  } catch (error) {
    // Errors of the context's own are no errors of this realm.
    throw new Error(types.isNativeError(error) ? error.message : "The pattern failed", {
      cause: error,
    });
  }
  return result;
}

/** undefined is a value of groups here, and lives on the wire. */
function toPacked(value: unknown): Packed {
  if (typeof value === "string" || value === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map(toPacked);
  const members: { [name: string]: Packed } = Object.create(null);
  for (const [name, one] of Object.entries(Object(value))) members[name] = toPacked(one);
  return members;
}

function failureOf(error: unknown): Packed {
  if (!(error instanceof Error) || error instanceof KernelError) throw error;
  const code: unknown = "code" in error ? error.code : undefined;
  return { code: typeof code === "string" ? code : "ERR_OPERATION_FAILED", message: error.message };
}
