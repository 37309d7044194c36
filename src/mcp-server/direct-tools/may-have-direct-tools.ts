import { ConfigError, type ConfigFile, readConfigFile } from "../config/config-file.ts";

/**
 * Whether a configuration could have tools for MCP clients, before it is checked and loaded: some say
 * so, and of modules only their code knows.
 */
export function mayHaveDirectTools(file: ConfigFile): boolean {
  try {
    const config = readConfigFile(file);
    return [...entriesOf(config, "toolkits"), ...entriesOf(config, "mcpServers")].some(isCandidate);
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

function entriesOf(config: unknown, key: string): unknown[] {
  if (typeof config !== "object" || config === null) return [];
  const entries: unknown = Reflect.get(config, key);
  return typeof entries === "object" && entries !== null ? Object.values(entries) : [];
}

function isCandidate(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const expose: unknown = Reflect.get(entry, "expose");
  return expose === undefined ? "module" in entry : expose !== "cli";
}
