/** The longest message of a server: the largest result (16 MiB), base64 and JSON escapes included. */
export const messageLimitBytes = 32 * 1024 * 1024;
