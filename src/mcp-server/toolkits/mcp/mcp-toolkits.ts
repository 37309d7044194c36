// `mcpServers` of the configuration as toolkits.
import type { Toolkit } from "../../../toolkit-cli/index.ts";
import {
  type McpServerConfig,
  type McpServersConfig,
  mcpServerKeys,
} from "../../config/mcp-servers-config.ts";
import { ChildGroups } from "./child-groups.ts";
import { McpToolkit } from "./mcp-toolkit.ts";
import { UniqueNames } from "./unique-names.ts";

export interface McpToolkitsOptions {
  /** The folder of the configuration. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/** One toolkit for each server that is not disabled, named after its key. Nothing is started. */
export function mcpToolkits(
  servers: McpServersConfig,
  options: McpToolkitsOptions,
): readonly Toolkit[] {
  const groups = new ChildGroups();
  const names = new UniqueNames();
  return Object.entries(servers)
    .filter(([, config]) => config.disabled !== true && config.enabled !== false)
    .filter(([key, config]) => {
      const isOurs = isOurselves(config);
      if (isOurs) options.log(`mcp ${key}: left out, for it is this server itself`);
      return !isOurs;
    })
    .map(([key, config]) => {
      const strange = Object.keys(config).filter((name) => !mcpServerKeys.includes(name));
      if (strange.length > 0) options.log(`mcp ${key}: ${strange.join(", ")} mean nothing here`);
      return new McpToolkit({ ...options, name: names.take(key), key, config, groups });
    });
}

/**
 * People give us the block in which we are named: VMs that command their own server would command what
 * they may do.
 */
function isOurselves({ command = "", args = [] }: McpServerConfig): boolean {
  return [command, ...args].some((word) => ourName.test(word));
}

/** As a command, as a package of any version, as a file. */
const ourName = /(^|[/\\])agentos-mcp(@[^/\\]*)?(\.[a-z]+)?$/;
