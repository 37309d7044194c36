// The configuration a user pastes into an MCP client.

/**
 * JSON in the form most clients share. It names this installation's files, because a client started
 * from a desktop often has no PATH to find `npx` on; npx's own cache comes and goes, so what runs
 * from there is named by package.
 */
export function clientConfiguration(binFile: string, node: string = process.execPath): string {
  const isNpxCache = /[\\/]_npx[\\/]/.test(binFile);
  const server = isNpxCache
    ? { command: "npx", args: ["-y", "agentos-mcp"] }
    : { command: node, args: [binFile] };
  return JSON.stringify({ mcpServers: { agentos: server } }, undefined, 2);
}
