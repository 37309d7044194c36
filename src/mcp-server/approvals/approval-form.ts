// The question that a person sees in their MCP client, and what their answer means.
import { type ElicitRequestFormParams, inputResponse } from "@modelcontextprotocol/server";
import { HostError } from "../../vm/host-error.ts";
import type { ApprovalAnswer, Approvals, PendingApproval } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";

const choices = new Map<string, ApprovalAnswer>([
  ["allow once", { answer: "allow", scope: "once" }],
  ["allow in this VM", { answer: "allow", scope: "vm" }],
  ["always allow", { answer: "allow", scope: "always" }],
  ["deny", { answer: "deny", scope: "once" }],
]);

/** Its texts are a guest's, without control characters. */
export function approvalForm(pending: PendingApproval): ElicitRequestFormParams {
  const { vm, pid, command, kind, subject, summary, input, reason, details = {} } = pending;
  const caller = pid === 0 ? command : `the process ${pid}: ${command}`;
  const lines = [
    vm === "" ? `Allow: ${summary}?` : `Allow in the VM "${vm}": ${summary}?`,
    ...(input === undefined ? [] : [`with ${input}`]),
    ...(command === "" ? [] : [`asked for by ${caller}`]),
    ...(reason === undefined ? [] : [`its reason: ${reason}`]),
    ...Object.entries(details).map(([name, value]) => `${name}: ${value}`),
  ];
  const reach = kind === "tool" ? "whatever its input" : "this and no other";
  const description = `What is not once holds for: ${subject}, ${reach}`;
  const words = [...choices.keys()].filter((word) => vm !== "" || word !== "allow in this VM");
  return {
    message: lines.join("\n"),
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "Decision", description, enum: words } },
      required: ["decision"],
    },
  };
}

/** Takes the answer that a call brings; none, or a form that was closed, leaves the approval open. */
export function applyAnswer(approvals: Approvals, id: string, call: McpCall): void {
  const response = inputResponse(call.request.inputResponses, id);
  if (response.kind === "elicit") applyElicited(approvals, { id, ...response }, call);
}

export interface Elicited {
  readonly id: string;
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether it was an answer. */
export function applyElicited(
  approvals: Approvals,
  { id, action, content }: Elicited,
  call: McpCall,
): boolean {
  const answer = answerOf(action, content?.["decision"]);
  if (answer === undefined) return false;
  try {
    approvals.decide(id, answer, `${call.client.name} (MCP connection ${call.connection.id})`);
  } catch (error) {
    // Somebody else was first.
    if (!(error instanceof HostError)) throw error;
  }
  return true;
}

function answerOf(action: Elicited["action"], decision: unknown): ApprovalAnswer | undefined {
  if (action === "decline") return { answer: "deny", scope: "once" };
  if (action === "cancel" || typeof decision !== "string") return undefined;
  return choices.get(decision);
}
