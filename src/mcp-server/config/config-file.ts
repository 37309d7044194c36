// Where the configuration is. Loaded before anything else of it: no zod here.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** setTimeout counts in 32 bits. */
const maxTimerMs = 2 ** 31 - 1;

/** A configuration that cannot be used. `problem` names the file by its whole path, and the key. */
export class ConfigError extends Error {
  readonly problem: string;

  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = "ConfigError";
    this.problem = problem;
  }
}

export interface ConfigFile {
  readonly path: string;
  /** Whether somebody asked for this file: then it must exist. */
  readonly isRequired: boolean;
}

/** The file of AGENTOS_MCP_CONFIG (or --config), else config.json in the home. */
export function findConfigFile(homeDirectory: string, env: NodeJS.ProcessEnv): ConfigFile {
  const given = env["AGENTOS_MCP_CONFIG"];
  if (given !== undefined && given !== "") return { path: given, isRequired: true };
  return { path: join(homeDirectory, "config.json"), isRequired: false };
}

/** The text of a file; undefined where it cannot be read. */
export function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** The JSON value a file holds; an empty object where there is no file and none is required. */
export function readConfigFile({ path, isRequired }: ConfigFile): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT" && !isRequired) return {};
    const problem = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(`${path} ${problem}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConfigError(`${path} is no JSON: ${error.message}`, { cause: error });
  }
}

/**
 * How long an unused server stays, as the file has it; undefined where it says nothing, or nothing
 * that can be used: who loads the configuration reports that.
 */
export function readIdleMs(file: ConfigFile): number | undefined {
  try {
    return idleMsOf(readConfigFile(file));
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function idleMsOf(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("idleMs" in value)) return undefined;
  const { idleMs } = value;
  const isUsable = typeof idleMs === "number" && Number.isInteger(idleMs) && idleMs >= 0;
  return isUsable ? Math.min(idleMs, maxTimerMs) : undefined;
}
