// Imports an operator's module into the server: paths and packages as seen from the configuration's folder.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** How long a module may take to come up. */
const IMPORT_LIMIT_MS = 30_000;
const PRIVATE = "agentos-mcp-toolkit-module:";
/** Modules get the server's own, wherever they are: one ToolError for both. */
const OWN = new Set(["agentos-mcp", "agentos-mcp/toolkit"]);
/** Modules may use the server's where they have none. */
const LENT = new Set(["zod", "zod/v3", "zod/v4"]);

export type ImportModule = (specifier: string) => Promise<object>;

/**
 * Makes modules find what they need, and imports them: `./tools.ts` or a package, relative to
 * `directory`. TypeScript loses its types on the way; what it needs beyond that is Node's to refuse.
 */
export function moduleImporter(directory: string): ImportModule {
  const from = pathToFileURL(join(directory, "config.json")).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith(PRIVATE)) {
        const wanted = decodeURIComponent(specifier.slice(PRIVATE.length));
        return nextResolve(wanted, { ...context, parentURL: from });
      }
      if (OWN.has(specifier))
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      if (!LENT.has(specifier)) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch {
        return nextResolve(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
  return async (specifier) => await withinTime(importAny(PRIVATE + encodeURIComponent(specifier)));
}

async function importAny(specifier: string): Promise<object> {
  const namespace: unknown = await import(specifier);
  return typeof namespace === "object" && namespace !== null ? namespace : {};
}

async function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`it is not loaded after ${IMPORT_LIMIT_MS / 1000} seconds`));
  }, IMPORT_LIMIT_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
