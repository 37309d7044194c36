// What it takes to reach an MCP server: its entry in the configuration, checked and expanded.
import { resolve } from "node:path";
import { ToolError } from "../../../toolkit-cli/index.ts";
import type { McpServerConfig } from "../../config/mcp-servers-config.ts";
import { expandVariables } from "./expand-variables.ts";
import type { ChildSpec } from "./server-child.ts";

export type ServerSpec = StdioSpec | HttpSpec;

export interface StdioSpec extends ChildSpec {
  readonly kind: "stdio";
}

export interface HttpSpec {
  readonly kind: "http";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** "sse" is the transport before 2025-03-26; "auto" tries that last. */
  readonly transport: "auto" | "http" | "sse";
}

export interface SpecSources {
  /** Relative paths start here: the folder of the configuration. */
  readonly directory: string;
  /** What `${NAME}` is taken from. */
  readonly env: NodeJS.ProcessEnv;
  /** What every server gets, beneath its own `env`. */
  readonly baseEnv: Readonly<Record<string, string>>;
}

/** Throws a ToolError "unavailable" that names the key which is wrong. */
export function serverSpec(
  name: string,
  config: McpServerConfig,
  sources: SpecSources,
): ServerSpec {
  const { command, url } = config;
  if (command !== undefined && url !== undefined) {
    throw wrong(name, '"command" and "url" cannot both be given.');
  }
  if (command !== undefined) return stdioSpec(name, { ...config, command }, sources);
  if (url !== undefined) return httpSpec(name, { ...config, url }, sources);
  throw wrong(name, '"command" (a program to start) or "url" (a server to reach) is missing.');
}

function stdioSpec(
  name: string,
  config: McpServerConfig & { readonly command: string },
  { directory, env, baseEnv }: SpecSources,
): StdioSpec {
  if (config.type !== undefined && config.type !== "stdio") {
    throw wrong(name, `"type" is "${config.type}", but "command" makes it "stdio".`);
  }
  const expand = expander(name, env);
  return {
    kind: "stdio",
    command: expand(config.command),
    args: (config.args ?? []).map(expand),
    env: { ...baseEnv, ...expandAll(config.env, expand) },
    cwd: config.cwd === undefined ? undefined : resolve(directory, expand(config.cwd)),
  };
}

function httpSpec(
  name: string,
  config: McpServerConfig & { readonly url: string },
  { env }: SpecSources,
): HttpSpec {
  const expand = expander(name, env);
  const url = URL.parse(expand(config.url));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong(name, '"url" is no http or https address.');
  }
  const transport = transports.get(config.type ?? "auto");
  if (transport === undefined) throw wrong(name, '"type" must be "http" or "sse" with "url".');
  return { kind: "http", url, headers: expandAll(config.headers, expand), transport };
}

/** As the hosts at hand spell them. */
const transports = new Map<string, HttpSpec["transport"]>([
  ["auto", "auto"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamableHttp", "http"],
  ["sse", "sse"],
]);

function expander(name: string, env: NodeJS.ProcessEnv): (text: string) => string {
  return (text) =>
    expandVariables(text, env, (variable) => {
      throw wrong(
        name,
        `it needs the variable ${variable}, which is not set where the server was started.`,
      );
    });
}

function expandAll(
  values: Readonly<Record<string, string>> | undefined,
  expand: (text: string) => string,
): Record<string, string> {
  const pairs = Object.entries(values ?? {});
  return Object.fromEntries(pairs.map(([key, value]) => [key, expand(value)]));
}

function wrong(name: string, problem: string): ToolError {
  return new ToolError("unavailable", `mcpServers.${name} of the configuration: ${problem}`);
}
