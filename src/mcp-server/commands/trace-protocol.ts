// What `agentos-mcp trace` and the server agree on. Runs on Node 20.

/** Of the bytes that hold lines. */
export const traceTag = 1;
