// What `agentos-mcp approvals` prints. Guests' texts come from the server without control characters.
// Runs on Node 20.

import type { PendingApproval } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { RememberedEntry } from "./approvals-servers.ts";
import { textTable } from "./text-table.ts";

const answerHint =
  "Answer with agentos-mcp approvals allow ID [--vm | --always], or agentos-mcp approvals deny ID.\n";

export function listText(all: readonly PendingApproval[], nowMs: number): string {
  if (all.length === 0) return "Nothing waits for approval.\n";
  const rows = all.map(({ id, vm, askedAt, summary }) => [
    id,
    vm === "" ? "-" : vm,
    `${Math.max(0, Math.round((nowMs - askedAt) / 1000))} s`,
    summary,
  ]);
  return `${textTable([["ID", "VM", "WAITS", "WHAT"], ...rows])}${answerHint}`;
}

/** All there is to know of one. */
export function pendingText(pending: PendingApproval): string {
  const { id, vm, pid, command, kind, subject, summary, input, reason, details = {} } = pending;
  const rows: (readonly [string, string | undefined])[] = [
    ["id", id],
    ["what", summary],
    ["with", input],
    ["VM", vm === "" ? undefined : vm],
    ["process", pid === 0 ? undefined : `${pid} ${command}`],
    ["reason", reason],
    ...Object.entries(details),
    ["remembered as", `${kind} ${subject}`],
    ["asked", new Date(pending.askedAt).toISOString()],
    ["expires", new Date(pending.expiresAt).toISOString()],
  ];
  const lines = rows.filter(([, value]) => value !== undefined);
  return textTable(lines.map(([name, value]) => [`${name}:`, value ?? ""]));
}

export function rememberedText(all: readonly RememberedEntry[]): string {
  if (all.length === 0) return "Nothing is always allowed or denied.\n";
  const rows = all.map(({ answer, kind, subject, by, at }) => [answer, kind, subject, by, at]);
  return textTable([["ANSWER", "KIND", "SUBJECT", "BY", "SINCE"], ...rows]);
}

/** One event of a server: what is asked, or what became of it. */
export function watchLine({ pending, settled, decision }: FrameHeader): string {
  const asked = fieldsOf(pending);
  if (asked !== undefined) {
    const [id, vm, summary] = asked;
    const place = vm === "" ? "" : ` (VM ${vm})`;
    return `${id}  ${summary}${place}\n        agentos-mcp approvals allow ${id}\n`;
  }
  const [id = "?"] = fieldsOf(settled) ?? [];
  if (typeof decision !== "object" || decision === null) return `${id}  no longer asked for\n`;
  const by = String(Reflect.get(decision, "by"));
  return `${id}  ${Reflect.get(decision, "answer") === "allow" ? "allowed" : "denied"} by ${by}\n`;
}

function fieldsOf(entry: unknown): readonly [string, string, string] | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const field = (name: string): string => String(Reflect.get(entry, name));
  return [field("id"), field("vm"), field("summary")];
}
