// URLPattern: its arguments are read here, as node_url_pattern.cc reads them, and matched by the kernel's Node.
import { call } from "../channel.ts";
import { codedError } from "../errors.ts";
import type { Packed } from "../wire/pack.ts";
import type { Binding } from "./base.ts";

type Input = string | Record<string, string>;

const parts = [
  "protocol",
  "username",
  "password",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
];

interface Pattern {
  readonly args: Packed[];
  readonly parts: string[];
  readonly hasGroups: boolean;
}

const patterns = new WeakMap<object, Pattern>();

export const urlPattern = (): Binding => ({ URLPattern });

function URLPattern(this: object, ...given: unknown[]): void {
  if (new.target === undefined)
    throw typeError("ERR_CONSTRUCT_CALL_REQUIRED", "Cannot call constructor without `new`");
  const input = inputOf(given[0]);
  const { base, options } = overload(given);
  const args = [input, base, ignoresCase(options)];
  const answer = call("urlPattern", ...args);
  if (answer.code !== undefined) throw typeError(answer.code, answer.message);
  patterns.set(this, { args, parts: [...answer.parts], hasGroups: answer.hasGroups });
}

/** (input, baseURL, options), (input, baseURL) or (input, options). */
function overload(given: readonly unknown[]): { base?: string; options?: unknown } {
  if (given.length >= 3) {
    const base = given[1];
    if (typeof base !== "string" && base !== null && base !== undefined)
      throw typeError("ERR_INVALID_ARG_TYPE", "second argument must be a string");
    return { base: String(base), options: given[2] };
  }
  return typeof given[1] === "string" ? { base: given[1] } : { options: given[1] };
}

function ignoresCase(options: any): boolean {
  if (options === undefined || options === null) return false;
  if (typeof options !== "object" && typeof options !== "function")
    throw typeError("ERR_INVALID_ARG_TYPE", "options must be an object");
  return Boolean(options.ignoreCase);
}

function inputOf(value: any): Input {
  if (value === undefined || value === null) return {};
  if (typeof value === "string") return value;
  if (typeof value !== "object" && typeof value !== "function")
    throw typeError("ERR_INVALID_ARG_TYPE", "Input must be an object or a string");
  const members: Record<string, string> = {};
  for (const name of [...parts, "baseURL"]) {
    const member = value[name];
    if (typeof member === "string") members[name] = member;
  }
  return members;
}

function typeError(code: string, message: string): Error {
  return codedError(TypeError as ErrorConstructor, code, message);
}

function patternOf(value: unknown): Pattern {
  const pattern = typeof value === "object" && value !== null ? patterns.get(value) : undefined;
  if (pattern === undefined) throw new TypeError("Illegal invocation");
  return pattern;
}

function match(pattern: Pattern, given: readonly unknown[]): any {
  const input = inputOf(given[0]);
  const base = given[1];
  if (base !== undefined && base !== null && typeof base !== "string")
    throw typeError("ERR_INVALID_ARG_TYPE", "baseURL must be a string");
  const answer = call(
    "urlPatternExec",
    pattern.args,
    input,
    base === undefined ? undefined : String(base),
  );
  if (answer.code !== undefined) throw typeError(answer.code, answer.message);
  return answer.result;
}

/** The kernel's result as plain objects of this context. */
function revive(value: any): any {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  const object: any = {};
  for (const name of Object.keys(value)) object[name] = revive(value[name]);
  return object;
}

for (const [index, name] of parts.entries()) {
  Object.defineProperty(URLPattern.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: unknown): string | undefined {
      return patternOf(this).parts[index];
    },
  });
}
Object.defineProperty(URLPattern.prototype, "hasRegExpGroups", {
  configurable: true,
  enumerable: true,
  get(this: unknown): boolean {
    return patternOf(this).hasGroups;
  },
});
Object.assign(URLPattern.prototype, {
  exec(this: unknown, ...given: unknown[]): unknown {
    const result = revive(match(patternOf(this), given));
    return result === null ? null : Object.setPrototypeOf(result, null);
  },
  test(this: unknown, ...given: unknown[]): boolean {
    return match(patternOf(this), given) !== null;
  },
});
