// What `agentos-mcp approvals` prints. Guests' texts come from the server with hidden characters made visible.
// Runs on Node 20.

import { visibleText } from "../../toolkit-cli/visible-text.ts";
import type { ApprovalScope, PendingApproval } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { inputLine, questionLines, reachOf } from "../approvals/question-text.ts";
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

/** All there is to know of one; of a long input as much as is given. */
export function pendingText(pending: PendingApproval): string {
  const { id, pid, vm, command, kind, subject, rule } = pending;
  const rows: (readonly [string, string | undefined])[] = [
    ["id", id],
    ["what", pending.summary],
    ["VM", vm === "" ? undefined : vm],
    ["process", pid === 0 ? undefined : `${pid} ${command}`],
    ["reason", pending.reason],
    ...Object.entries(pending.details ?? {}),
    ["asked by", rule],
    ["remembered as", `${kind} ${subject}`],
    ["asked", new Date(pending.askedAt).toISOString()],
    ["expires", new Date(pending.expiresAt).toISOString()],
    ...(pending.notes ?? []).map((note) => ["careful", note] as const),
  ];
  const lines = rows.filter(([, value]) => value !== undefined);
  const table = textTable(lines.map(([name, value]) => [`${name}:`, value ?? ""]));
  if (pending.input === undefined) return table;
  const more =
    pending.isInputWhole === true
      ? ""
      : `\n[this is its beginning; to see all of it: agentos-mcp approvals show ${id} --full]`;
  return `${table}${inputLine(pending)}\n${pending.input}${more}\n`;
}

/** The whole question as somebody reads it before they allow it. */
export function questionText(
  pending: PendingApproval,
  input: string | undefined,
  scope: ApprovalScope,
): string[] {
  return [
    ...questionLines(pending),
    ...(input === undefined ? [] : [inputLine(pending), ...input.split("\n")]),
    `Your answer covers ${reachOf(pending, scope)}.`,
  ];
}

export function rememberedText(all: readonly RememberedEntry[]): string {
  if (all.length === 0) return "Nothing is always allowed or denied.\n";
  const rows = all.map(({ answer, kind, subject, by, at }) =>
    [answer, kind, subject, by, at].map(visibleText),
  );
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
