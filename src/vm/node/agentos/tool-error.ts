/** A call that failed: `code` says how, see docs/toolkits.md. */
export class ToolError extends Error {
  readonly code: string;
  declare readonly issues?: readonly object[];

  constructor(code: string, message: string, issues?: readonly object[]) {
    super(message);
    this.name = "ToolError";
    this.code = code;
    if (issues !== undefined) this.issues = issues;
  }
}

/** The error that a call's last event tells of. */
export function errorOf({ code, message, issues }: any): ToolError {
  return new ToolError(code, message, issues);
}
