// The configuration of a server, read and checked.
import { z } from "zod";
import { isKernelError, Policy, resolveLimits } from "../../kernel/index.ts";
import { checkMemory, HostError, placeSoftware } from "../../vm/index.ts";
import { suggest } from "../suggest.ts";
import { ConfigError, findConfigFile, readConfigFile } from "./config-file.ts";
import { configVariables, type ServerConfig, serverConfig } from "./server-config.ts";

/** The configuration of a home, the environment on top of the file. Throws ConfigError. */
export function loadConfig(homeDirectory: string, env: NodeJS.ProcessEnv): ServerConfig {
  const file = findConfigFile(homeDirectory, env);
  const { path } = file;
  const config = parse(readConfigFile(file), (key) => `${path}: ${key}`);
  checkKernelParts(config, path);
  const merged = withEnvironment(config, env);
  checkVmParts(merged, path);
  return merged;
}

function parse(value: unknown, where: (key: string) => string): ServerConfig {
  const result = serverConfig.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => describe(issue, where)).join("; "));
}

function describe(issue: z.core.$ZodIssue, where: (key: string) => string): string {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") {
    return `${where(path.length === 0 ? "the whole" : path.join("."))} ${wordsOf(issue)}`;
  }
  const known = knownKeys(path);
  return issue.keys
    .map((key) => `${where([...path, key].join("."))} is no setting${hintFor(key, known)}`)
    .join("; ");
}

function hintFor(key: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const close = suggest(key, known);
  return close === undefined ? ` (known are ${known.join(", ")})` : ` (did you mean ${close}?)`;
}

/** What can be set at a place; nothing where only its own schema knows. */
function knownKeys(path: readonly string[]): readonly string[] {
  return path[0] === "mcpServers" ? ["include", "exclude"] : keysAt(serverConfig, path);
}

function keysAt(schema: unknown, path: readonly string[]): readonly string[] {
  if (schema instanceof z.ZodOptional) return keysAt(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [];
  const [first, ...rest] = path;
  return first === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[first], rest);
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be of type ${issue.expected}`;
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid"))
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

/** Limits and permissions are checked by who uses them, in its words. */
function checkKernelParts({ vm = {} }: ServerConfig, path: string): void {
  try {
    resolveLimits(vm.limits ?? {});
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const key = `${path}: vm.limits.${error.subject ?? ""}`;
    throw new ConfigError(`${key}: ${error.reason ?? error.errno}`, { cause: error });
  }
  try {
    checkPolicy(vm.permissions ?? {});
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const key = `${path}: vm.${error.subject ?? "permissions"}`;
    throw new ConfigError(`${key}: ${error.reason ?? error.errno}`, { cause: error });
  }
}

/** Whether there is such a folder is found out when a VM gets it. */
function checkVmParts({ vm = {} }: ServerConfig, path: string): void {
  try {
    checkMemory(vm);
    placeSoftware(vm.software ?? []);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new ConfigError(`${path}: vm.${error.facts["problem"]}`, { cause: error });
  }
}

function checkPolicy(permissions: NonNullable<ServerConfig["vm"]>["permissions"]): Policy {
  return new Policy(permissions);
}

function withEnvironment(config: ServerConfig, env: NodeJS.ProcessEnv): ServerConfig {
  let merged = config;
  for (const [variable, path] of Object.entries(configVariables)) {
    const text = env[variable];
    if (text === undefined || text === "") continue;
    const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), Number(text));
    const own = parse(value, () => variable);
    merged = { ...merged, ...own, vm: { ...merged.vm, ...own.vm } };
  }
  return merged;
}
