// Variables as MCP clients give them.
import { HostError } from "../../vm/host-error.ts";

/** They travel to the cell in one message. */
const maxBytes = 128 * 1024;

/** The variables, checked. ENV_INVALID. */
export function guestEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  let bytes = 0;
  for (const [name, value] of Object.entries(env)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (name === "" || name.includes("=") || `${name}${value}`.includes("\0")) {
      const shown = JSON.stringify(name.slice(0, 80));
      throw new HostError("ENV_INVALID", { problem: `${shown} cannot be a variable` });
    }
  }
  if (bytes > maxBytes) {
    const problem = `they have ${bytes} bytes, more than ${maxBytes}`;
    throw new HostError("ENV_INVALID", { problem });
  }
  return { ...env };
}
