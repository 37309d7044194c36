// The toolkits that the configuration gives to every VM of a server.
import { type Toolkit, toKebabCase } from "../../toolkit-cli/index.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { ModuleOptions, ToolkitConfig } from "../config/toolkits-config.ts";
import { withName } from "./renamed-toolkit.ts";

export interface ToolkitSources {
  /** The folder of the configuration: relative paths begin there. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/**
 * Imports modules, and starts nothing else: documents and MCP servers wait for their first use. What
 * cannot be used is there all the same and says why. Names are distinct.
 */
export async function loadToolkits(
  { toolkits = {}, mcpServers = {} }: Pick<ServerConfig, "toolkits" | "mcpServers">,
  sources: ToolkitSources,
): Promise<readonly Toolkit[]> {
  const enabled = Object.entries(toolkits).filter(([, config]) => config.disabled !== true);
  const modules = enabled.filter((entry): entry is [string, ModuleOptions] => isModule(entry[1]));
  const [own, documents, servers] = await Promise.all([
    modules.length === 0 ? [] : loadModules(modules, sources),
    loadDocuments(enabled, sources),
    Object.keys(mcpServers).length === 0 ? [] : loadServers(mcpServers, sources),
  ]);
  return withDistinctNames([...own, ...documents, ...servers], sources.log);
}

function isModule(config: ToolkitConfig): config is ModuleOptions {
  return "module" in config;
}

async function loadModules(
  entries: readonly [string, ModuleOptions][],
  { directory, log }: ToolkitSources,
): Promise<readonly Toolkit[]> {
  const [{ moduleImporter }, { moduleToolkits }] = await Promise.all([
    import("./modules/import-module.ts"),
    import("./modules/module-toolkits.ts"),
  ]);
  const importModule = moduleImporter(directory);
  const loaded = await Promise.all(
    entries.map(([key, options]) =>
      moduleToolkits(toKebabCase(key), options, { importModule, log }),
    ),
  );
  return loaded.flat();
}

async function loadDocuments(
  entries: readonly [string, ToolkitConfig][],
  sources: ToolkitSources,
): Promise<readonly Toolkit[]> {
  if (entries.every(([, config]) => isModule(config))) return [];
  const { OpenapiToolkit } = await import("./openapi/openapi-toolkit.ts");
  return entries.flatMap(([key, config]) =>
    isModule(config) ? [] : [new OpenapiToolkit(toKebabCase(key), config, sources)],
  );
}

async function loadServers(
  servers: NonNullable<ServerConfig["mcpServers"]>,
  sources: ToolkitSources,
): Promise<readonly Toolkit[]> {
  const { mcpToolkits } = await import("./mcp/mcp-toolkits.ts");
  return mcpToolkits(servers, sources);
}

/** The first keeps its name; the others get a number. */
function withDistinctNames(
  toolkits: readonly Toolkit[],
  log: (line: string) => void,
): readonly Toolkit[] {
  const taken = new Set<string>();
  return toolkits.map((toolkit) => {
    let name = toolkit.name;
    for (let count = 2; taken.has(name); count++) name = `${toolkit.name}-${count}`;
    taken.add(name);
    if (name === toolkit.name) return toolkit;
    log(`toolkit ${name}: there is another ${toolkit.name}`);
    return withName(toolkit, name);
  });
}
