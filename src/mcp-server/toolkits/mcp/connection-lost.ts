import { ToolError } from "../../../toolkit-cli/index.ts";

/** The server knows nothing of this connection, and did nothing: the same can be asked on a new one. */
export class ConnectionLostError extends ToolError {
  constructor(name: string, options?: ErrorOptions) {
    super("unavailable", `The MCP server "${name}" has ended the session.`, options);
    this.name = "ToolError";
  }
}
