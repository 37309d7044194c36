import { ConfigError, type ConfigFile, readConfigFile } from "../config/config-file.ts";

/** Whether a configuration lets VMs have sandboxes, before it is checked and loaded. */
export function mayHaveSandboxes(file: ConfigFile): boolean {
  try {
    const config = readConfigFile(file);
    if (typeof config !== "object" || config === null) return false;
    const sandbox: unknown = Reflect.get(config, "sandbox");
    if (!isObject(sandbox)) return false;
    const policy: unknown = Reflect.get(sandbox, "policy");
    const providers: unknown = Reflect.get(sandbox, "providers");
    if (!isObject(providers)) return policy !== "deny";
    return Object.values(providers).some((own: unknown) => {
      const ownPolicy: unknown = isObject(own) ? Reflect.get(own, "policy") : undefined;
      return (ownPolicy ?? policy) !== "deny";
    });
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
