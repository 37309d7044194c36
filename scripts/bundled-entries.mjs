/**
 * What is started or imported by its name: by people and their modules, as a process or a thread. All in one bundle, so that
 * a class is the same for a server and for the modules of its configuration. Tests put other tools in place of the tool list.
 */
export const bundledEntries = [
  "mcp-server/commands/doctor/main",
  "mcp-server/main",
  "mcp-server/server-process/main",
  "mcp-server/tool-list",
  "toolkit-cli/index",
  "vm/broker/folders/disk-thread",
  "vm/host-error",
  "vm/index",
];
