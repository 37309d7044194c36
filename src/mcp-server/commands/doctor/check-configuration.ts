// What the doctor says of the configuration: whether it can be used, its toolkits and its sandboxes.
import { dirname } from "node:path";
import { ToolError, type Toolkit } from "../../../toolkit-cli/index.ts";
import type { Check } from "../../../vm/index.ts";
import { ConfigError, findConfigFile, readConfigText } from "../../config/config-file.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { ServerConfig } from "../../config/server-config.ts";
import { loadToolkits } from "../../toolkits/load-toolkits.ts";
import { checkSandboxes } from "./check-sandboxes.ts";
import { checkVm } from "./check-vm.ts";

const group = "configuration";
const name = "toolkits";
/** A document or a module that takes longer is as good as none. */
const LIMIT_MS = 30_000;

/** A VM is started, modules are loaded and documents read; MCP servers are not started, for that may do anything. */
export async function checkConfiguration(
  homeDirectory: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  try {
    const config = loadConfig(homeDirectory, env);
    const { path } = findConfigFile(homeDirectory, env);
    const directory = dirname(path);
    return [
      { group, name: "file", state: "ok", detail: describeFile(path) },
      await checkVm(config, path),
      ...(await checkToolkits(config, { directory, env, log: () => undefined })),
      ...(await checkSandboxes(config.sandbox, env)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = "No VM starts like this: put it right.";
    return [{ group, name: "file", state: "failed", detail: error.problem, remedy }];
  }
}

function describeFile(path: string): string {
  const isThere = readConfigText(path) !== undefined;
  return isThere ? `${path} can be used` : `there is no ${path}, so the defaults hold`;
}

async function checkToolkits(
  { toolkits = {}, mcpServers = {} }: ServerConfig,
  sources: Parameters<typeof loadToolkits>[1],
): Promise<readonly Check[]> {
  const own = await loadToolkits({ toolkits }, sources);
  const servers = Object.keys(mcpServers).length;
  const checks = await Promise.all(own.map((toolkit) => checkToolkit(toolkit)));
  if (servers === 0) return checks;
  return [...checks, { group, name, state: "ok", detail: `${servers} MCP servers, not started` }];
}

async function checkToolkit(toolkit: Toolkit): Promise<Check> {
  try {
    const tools = await toolkit.tools(AbortSignal.timeout(LIMIT_MS));
    return { group, name, state: "ok", detail: `${toolkit.name} has ${tools.length} tools` };
  } catch (error) {
    const detail = `${toolkit.name} cannot be used`;
    const remedy = error instanceof ToolError ? error.message : String(error);
    return { group, name, state: "warning", detail, remedy };
  } finally {
    await toolkit.close?.();
  }
}
