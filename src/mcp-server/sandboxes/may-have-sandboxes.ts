import { ConfigError, type ConfigFile, readConfigFile } from "../config/config-file.ts";

/** Whether a configuration lets VMs have sandboxes, before it is checked and loaded. */
export function mayHaveSandboxes(file: ConfigFile): boolean {
  try {
    const config = readConfigFile(file);
    if (typeof config !== "object" || config === null) return false;
    const sandbox: unknown = Reflect.get(config, "sandbox");
    return (
      typeof sandbox === "object" && sandbox !== null && Reflect.get(sandbox, "policy") !== "deny"
    );
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
