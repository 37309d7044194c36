// The frames of a stack as Node shows them: none of our bindings, which are C++ there, and its own
// library's without the names that V8 guesses, since Node's snapshot does not keep them.

/** What this folder is called in stacks. */
const OURS = "node:internal/guest";

interface CallSite {
  getFileName(): string | null | undefined;
  getFunctionName(): string | null;
  getTypeName(): string | null;
  getMethodName(): string | null;
  isConstructor(): boolean;
  isToplevel(): boolean;
  isNative(): boolean;
  isAsync(): boolean;
  toString(): string;
}

/** The same list, without our frames. */
export function tidyCallSites(trace: unknown): unknown {
  if (!Array.isArray(trace)) return trace;
  const shown: CallSite[] = [];
  for (const site of trace) {
    const file = site.getFileName();
    if (file === OURS) continue;
    if (typeof file === "string" && file.startsWith("node:")) leaveOutGuess(site);
    shown.push(site);
  }
  return shown;
}

/** A name with a dot in it is V8's guess at a function that has none. */
function leaveOutGuess(site: CallSite): void {
  const name = site.getFunctionName();
  if (name === null || !name.includes(".")) return;
  const text = site.toString();
  const place = text.slice(text.lastIndexOf("(") + 1).replace(/\)$/, "");
  const shown = methodOf(site);
  const prefix = site.isAsync() ? "async " : "";
  const value = shown === undefined ? prefix + place : `${prefix}${shown} (${place})`;
  define(site, "toString", () => value);
  define(site, "getFunctionName", () => null);
}

function define(site: CallSite, name: string, value: () => string | null): void {
  Object.defineProperty(site, name, { value, configurable: true, writable: true });
}

/** As V8 names the call of a method that is a function without a name. */
function methodOf(site: CallSite): string | undefined {
  if (site.isAsync() || site.isConstructor() || site.isToplevel() || site.isNative())
    return undefined;
  const type = site.getTypeName();
  const method = site.getMethodName();
  return `${type ?? "null"}.${method ?? "<anonymous>"}`;
}
