// The toolkits that an operator's module exports.
import { basename, isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { cutText, type Toolkit } from "../../../toolkit-cli/index.ts";
import type { ModuleOptions } from "../../config/toolkits-config.ts";
import { withName } from "../renamed-toolkit.ts";
import { UnavailableToolkit } from "../unavailable-toolkit.ts";
import type { ImportModule } from "./import-module.ts";

const PROBLEM_CHARACTERS = 500;

/**
 * The toolkits of a module. One toolkit is called as the configuration calls it, several keep their
 * names. A module that cannot be used gives one that says why; the log has the whole error.
 */
export async function moduleToolkits(
  name: string,
  options: ModuleOptions,
  { importModule, log }: { importModule: ImportModule; log: (line: string) => void },
): Promise<readonly Toolkit[]> {
  const shown = basename(options.module);
  try {
    const found = findToolkits(await importModule(specifierOf(options.module)), options.export);
    if (typeof found === "string") return unavailable(name, `The module ${shown} ${found}`, log);
    return found.map((toolkit) =>
      adopt(found.length === 1 ? name : toolkit.name, toolkit, options),
    );
  } catch (error) {
    log(
      `toolkit ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return unavailable(name, `The module ${shown} cannot be loaded: ${messageOf(error)}`, log);
  }
}

/** On Windows an absolute path is no specifier. */
function specifierOf(module: string): string {
  return isAbsolute(module) ? pathToFileURL(module).href : module;
}

function adopt(
  name: string,
  toolkit: Toolkit,
  { expose = toolkit.expose }: ModuleOptions,
): Toolkit {
  return withName(toolkit, name, expose);
}

function unavailable(name: string, problem: string, log: (line: string) => void): Toolkit[] {
  const said = `${problem} Put it right and restart the server (agentos-mcp stop).`;
  log(`toolkit ${name}: ${said}`);
  return [new UnavailableToolkit(name, said)];
}

/** Toolkits, or what is wrong. */
function findToolkits(namespace: object, wanted: string | undefined): readonly Toolkit[] | string {
  const exports = new Map<string, unknown>(Object.entries(namespace));
  const named = [...exports].filter(([, value]) => toToolkits(value) !== undefined);
  if (wanted !== undefined) {
    const chosen = toToolkits(exports.get(wanted));
    const others = named.map(([name]) => name).join(", ");
    return chosen ?? `exports no toolkit "${wanted}"${others === "" ? "" : `, but ${others}`}.`;
  }
  const preferred = toToolkits(exports.get("default"));
  const found = preferred ?? [...new Set(named.flatMap(([, value]) => toToolkits(value) ?? []))];
  if (found.length > 0) return found;
  return "exports no toolkit: export what toolkit() of agentos-mcp/toolkit returns.";
}

function toToolkits(value: unknown): readonly Toolkit[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every(isToolkit) ? list : undefined;
}

function isToolkit(value: unknown): value is Toolkit {
  if (typeof value !== "object" || value === null) return false;
  return (
    "name" in value &&
    typeof value.name === "string" &&
    "tools" in value &&
    typeof value.tools === "function" &&
    "expose" in value
  );
}

/** Its first line, where files of the host go by their last name. */
function messageOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = line.replaceAll(/(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:[^\\/\s'"]+[\\/])+/g, "");
  return cutText(/[.!?]$/.test(shown) ? shown : `${shown}.`, PROBLEM_CHARACTERS);
}
