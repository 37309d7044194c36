/** What a VM's request to its toolkits gives: the policy asked, the call recorded, the tool run. */
import type { Policy } from "../../../kernel/index.ts";
import {
  callTool,
  type DeviceRequest,
  describeFailure,
  type JsonValue,
  ToolError,
  type ToolEvent,
  type Turn,
} from "../../../toolkit-cli/index.ts";
import type { Approver } from "../../approvals/approval.ts";
import { askForCall } from "./ask-for-call.ts";
import type { GrantedToolkits } from "./granted-toolkits.ts";
import type { ThreadShare } from "./thread-share.ts";
import type { ToolAudit } from "./tool-audit.ts";
import type { ToolCaller } from "./toolkit-service.ts";

/** What one VM gets of the host's tools. */
export interface ToolkitGrant {
  readonly vm: string;
  readonly toolkits: GrantedToolkits;
  readonly policy: Policy;
  readonly approvals: Approver | undefined;
  readonly audit: ToolAudit;
  readonly log: (line: string) => void;
  /** Undefined where nobody has to share the thread. */
  readonly thread?: ThreadShare;
}

export interface ServedRequest<R extends DeviceRequest = DeviceRequest> {
  readonly request: R;
  readonly caller: ToolCaller;
  readonly signal: AbortSignal;
}

/** The last event is a result or an error; never throws. */
export async function* serveToolRequest(
  grant: ToolkitGrant,
  { request, caller, signal }: ServedRequest,
): AsyncGenerator<ToolEvent> {
  try {
    switch (request.op) {
      case "call":
        yield* runCall(grant, { request, caller, signal });
        return;
      case "list":
        yield json({ toolkits: grant.toolkits.list() });
        return;
      case "describe":
        yield json(await grant.toolkits.describe(request.toolkit, signal));
        return;
      case "search":
        yield json(
          await grant.toolkits.search(request.query, { ...request, signal, ...turnOf(grant) }),
        );
        return;
      case "cancel":
        throw new ToolError("usage", "There is nothing to cancel.");
    }
  } catch (error) {
    if (!(error instanceof ToolError) && !signal.aborted)
      grant.log(`${request.op} failed: ${String(error)}`);
    yield describeFailure(error);
  }
}

type CallRequest = Extract<DeviceRequest, { op: "call" }>;

async function* runCall(
  grant: ToolkitGrant,
  { request, caller, signal }: ServedRequest<CallRequest>,
): AsyncGenerator<ToolEvent> {
  const { toolkit, tool: name, input } = request;
  const subject = `${toolkit}:${name}`;
  const { mode, rule } = grant.policy.decide("toolkit", "invoke", subject);
  const record = grant.audit.begin({ caller, subject, isAllowed: mode !== "deny", rule });
  let last: ToolEvent | undefined;
  try {
    if (mode === "deny") {
      throw new ToolError("denied", `${subject} is blocked by the policy of the VM (${rule}).`);
    }
    const tool = await grant.toolkits.getTool(toolkit, name, signal);
    record.describe(tool, input);
    const isAsked = mode === "ask" || tool.needsApproval;
    const asks = mode === "ask" ? `vm.permissions.${rule}` : `approval of the toolkit ${toolkit}`;
    const { vm, approvals } = grant;
    const { pid, command } = caller;
    const approve = isAsked
      ? askForCall({ vm, approvals, caller, subject, rule: asks, record })
      : undefined;
    const events = callTool(tool, input, {
      vm,
      pid,
      command,
      signal,
      log: (line) => grant.log(`${subject}: ${line}`),
      ...turnOf(grant),
      ...(approve === undefined ? {} : { approve }),
    });
    for await (const event of events) {
      last = event;
      yield event;
    }
  } catch (error) {
    const failure = describeFailure(error);
    last = failure;
    yield failure;
  } finally {
    record.end(last, caller.resultBytes());
  }
}

function turnOf({ thread }: ToolkitGrant): { readonly turn?: Turn } {
  return thread === undefined ? {} : { turn: thread.run };
}

/** What is made of it is JSON: descriptions and lists of texts. */
function json(value: object): ToolEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data made above, whose interfaces have no index signature
  return { type: "result", value: { kind: "json", json: value as JsonValue } };
}
