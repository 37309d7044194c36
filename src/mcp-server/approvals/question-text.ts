// What a person is asked, in words: the same in a form of their MCP client and at their terminal. Texts of guests come
// with hidden characters made visible. Runs on Node 20.
import type { ApprovalScope, PendingApproval } from "../../vm/index.ts";

/** Everything but the input. */
export function questionLines(pending: PendingApproval): string[] {
  const { vm, pid, command, summary, reason, details = {}, notes = [] } = pending;
  const caller = pid === 0 ? command : `the process ${pid}: ${command}`;
  return [
    vm === "" ? `Allow: ${summary}?` : `Allow in the VM "${vm}": ${summary}?`,
    ...(command === "" ? [] : [`asked for by ${caller}`]),
    ...(reason === undefined ? [] : [`its reason, in its own words: ${reason}`]),
    ...Object.entries(details).map(([name, value]) => `${name}: ${value}`),
    ...notes.map((note) => `careful: ${note}`),
  ];
}

/** Stands before the input. */
export function inputLine({ inputBytes, inputSha256 }: PendingApproval): string {
  return `with this input (${inputBytes} bytes, SHA-256 ${inputSha256}):`;
}

/** What an answer covers beside this one call. */
export function reachOf({ kind, subject, vm }: PendingApproval, scope: ApprovalScope): string {
  if (scope === "once") return "this call and no other";
  const what =
    kind === "tool"
      ? `every call of ${subject}, whatever its input`
      : `${subject}, and nothing else`;
  return scope === "vm"
    ? `${what}, in the VM "${vm}" until it is destroyed`
    : `${what}, in every VM until it is revoked`;
}
