// Runs on Node 20.

/** What to do where a VM does not exist, at a command line. */
export const noVmRemedy = "agentos-mcp vms lists them.";
