// MCP servers that people have: the real part of the catalogue. Two come with the repository's
// devDependencies; the others are installed by npm in the bench's cache folder when they are asked for.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ServerCommand } from "../mcp-connection.ts";
import { installPackage } from "./install-package.ts";

export interface PublishedServer {
  readonly name: string;
  readonly description: string;
  /** How it is started; `folder` is one that it may see. */
  readonly command: (folder: string) => ServerCommand;
}

interface ServerRow {
  readonly name: string;
  readonly description: string;
  /** With its version where it is not one of ours. */
  readonly npmPackage: string;
  readonly entry: string;
  readonly takesFolder?: boolean;
  /** What it wants to see before it lists its tools; nobody calls them. */
  readonly env?: Readonly<Record<string, string>>;
}

const installed: readonly ServerRow[] = [
  {
    name: "filesystem",
    description: "Files of a folder of the host",
    npmPackage: "@modelcontextprotocol/server-filesystem",
    entry: "dist/index.js",
    takesFolder: true,
  },
  {
    name: "everything",
    description: "A server that shows what MCP can do",
    npmPackage: "@modelcontextprotocol/server-everything",
    entry: "dist/index.js",
  },
];

const fetched: readonly ServerRow[] = [
  {
    name: "github",
    description: "Repositories, issues and pull requests on GitHub",
    npmPackage: "@modelcontextprotocol/server-github@2025.4.8",
    entry: "dist/index.js",
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: "none" },
  },
  {
    name: "notion",
    description: "Pages and databases in Notion",
    npmPackage: "@notionhq/notion-mcp-server@2.5.2",
    entry: "bin/cli.mjs",
    env: { NOTION_TOKEN: "none" },
  },
  {
    name: "playwright",
    description: "A browser that can be driven",
    npmPackage: "@playwright/mcp@0.0.83",
    entry: "cli.js",
  },
  {
    name: "chrome-devtools",
    description: "Chrome's developer tools",
    npmPackage: "chrome-devtools-mcp@1.11.0",
    entry: "build/src/bin/chrome-devtools-mcp.js",
  },
  {
    name: "memory",
    description: "A knowledge graph that lasts",
    npmPackage: "@modelcontextprotocol/server-memory@2026.8.31",
    entry: "dist/index.js",
  },
];

/** Those that are installed with the repository. */
export function repositoryServers(): readonly PublishedServer[] {
  const { resolve } = createRequire(import.meta.url);
  return installed.map((row) => toServer(row, dirname(resolve(`${row.npmPackage}/package.json`))));
}

/** All of them; the first time, npm fetches what is missing. */
export async function publishedServers(
  say: (line: string) => void,
): Promise<readonly PublishedServer[]> {
  const servers = [...repositoryServers()];
  for (const row of fetched) {
    const folder = await installPackage(row.npmPackage, say);
    servers.push(
      toServer(row, join(folder, "node_modules", row.npmPackage.replace(/@[\d.]+$/, ""))),
    );
  }
  return servers;
}

function toServer(row: ServerRow, packageFolder: string): PublishedServer {
  const { name, description, env } = row;
  return {
    name,
    description,
    command: (folder) => ({
      command: process.execPath,
      args: [join(packageFolder, row.entry), ...(row.takesFolder === true ? [folder] : [])],
      ...(env === undefined ? {} : { env }),
    }),
  };
}
