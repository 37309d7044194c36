// What a user can set, as flags and as environment variables. Runs on Node 20.
import { resolve } from "node:path";
import { defaultHomeDirectory } from "./home.ts";

/** One option of a command line. A flag wins over its environment variable. */
export interface Option {
  /** What stands for its value in help; an option without one is a switch. */
  readonly value?: string;
  readonly env?: string;
  /** Whether it can be given more than once. */
  readonly isList?: true;
  readonly says: string;
}

/** Options of every command. */
export const globalOptions = {
  home: {
    value: "DIR",
    env: "AGENTOS_MCP_HOME",
    says: "Private directory for sockets and logs; each home has its own server",
  },
  config: {
    value: "FILE",
    env: "AGENTOS_MCP_CONFIG",
    says: "Configuration of a new server (config.json in the home)",
  },
  "idle-ms": {
    value: "MS",
    env: "AGENTOS_MCP_IDLE_MS",
    says: "Stop an unused server after this time (600000)",
  },
  "log-level": {
    value: "LEVEL",
    env: "AGENTOS_MCP_LOG_LEVEL",
    says: "Log level of a new server: error, warn, info or debug (info)",
  },
} as const satisfies Record<string, Option>;

/** The gravest first. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Settings {
  readonly homeDirectory: string;
  /** Where nothing is said, the configuration and then `defaultIdleMs` decide. */
  readonly idleMs: number | undefined;
  readonly configFile: string | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Ten minutes: long enough to restart a client, short enough not to be a memory leak. */
export const defaultIdleMs = 600_000;

/** The settings that flags and environment give. Throws UsageError on a value that is none. */
export function readSettings(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Settings {
  const home = flags.get("home") ?? env["AGENTOS_MCP_HOME"];
  const idleMs = flags.get("idle-ms") ?? env["AGENTOS_MCP_IDLE_MS"];
  const configFile = flags.get("config") ?? env["AGENTOS_MCP_CONFIG"];
  const logLevel = flags.get("log-level") ?? env["AGENTOS_MCP_LOG_LEVEL"];
  return {
    homeDirectory: home === undefined || home === "" ? defaultHomeDirectory() : home,
    idleMs: idleMs === undefined || idleMs === "" ? undefined : parseMs(idleMs),
    // The server has another working directory.
    configFile: configFile === undefined || configFile === "" ? undefined : resolve(configFile),
    logLevel: logLevel === undefined || logLevel === "" ? undefined : parseLogLevel(logLevel),
  };
}

/** The environment by which a server gets the settings of who starts it. */
export function serverEnvironment(settings: Settings, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { homeDirectory, idleMs, configFile, logLevel } = settings;
  return {
    ...env,
    AGENTOS_MCP_HOME: homeDirectory,
    ...(idleMs === undefined ? {} : { AGENTOS_MCP_IDLE_MS: String(idleMs) }),
    ...(configFile === undefined ? {} : { AGENTOS_MCP_CONFIG: configFile }),
    ...(logLevel === undefined ? {} : { AGENTOS_MCP_LOG_LEVEL: logLevel }),
  };
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((one) => one === text);
  if (level !== undefined) return level;
  throw new UsageError(
    `"${text}" is not a log level: use ${logLevels.join(", ")} (--log-level, AGENTOS_MCP_LOG_LEVEL).`,
  );
}

/** setTimeout counts in 32 bits. */
const maxTimerMs = 2 ** 31 - 1;

function parseMs(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= maxTimerMs) return value;
  throw new UsageError(`"${text}" is no number of milliseconds (--idle-ms, AGENTOS_MCP_IDLE_MS).`);
}
