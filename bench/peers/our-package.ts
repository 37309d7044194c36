// The build of agentos-mcp that this process measures: the folder that its first argument names, else
// this checkout. Everything goes by what every build has: dist/vm, dist/toolkit-cli and bin.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as ToolkitCli from "../../src/toolkit-cli/index.ts";
import type * as Library from "../../src/vm/index.ts";

const folder = process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url));

/** What a client starts. */
export const binFile = join(folder, "bin", "agentos-mcp.mjs");

/** Where the server of this process is found; its owner stops the server and removes it. */
export const home = process.env["AGENTOS_MCP_HOME"] ?? "";

export const library = (await importBuilt("vm/index.js")) as typeof Library;
export const toolkitCli = (await importBuilt("toolkit-cli/index.js")) as typeof ToolkitCli;

async function importBuilt(path: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, "dist", path)).href);
}
