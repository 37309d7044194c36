/** What a VM's request to its toolkits gives: the policy asked, the call recorded, the tool run. */
import type { Policy } from "../../../kernel/index.ts";
import {
  callTool,
  type DeviceRequest,
  describeFailure,
  describeToolkit,
  type JsonValue,
  searchTools,
  type Tool,
  ToolError,
  type ToolEvent,
  type Toolkit,
} from "../../../toolkit-cli/index.ts";
import type { Approver } from "../../approvals/approval.ts";
import { askForCall } from "./ask-for-call.ts";
import type { ToolAudit } from "./tool-audit.ts";
import type { ToolCaller } from "./toolkit-service.ts";

/** What one VM gets of the host's tools. */
export interface ToolkitGrant {
  readonly vm: string;
  readonly toolkits: readonly Toolkit[];
  readonly policy: Policy;
  readonly approvals: Approver | undefined;
  readonly audit: ToolAudit;
  readonly log: (line: string) => void;
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
        yield json({ toolkits: grant.toolkits.map(nameAndDescription) });
        return;
      case "describe":
        yield json(await describe(grant, request.toolkit, signal));
        return;
      case "search":
        yield json(await search(grant, request, signal));
        return;
      case "cancel":
        throw new ToolError("usage", "There is nothing to cancel.");
    }
  } catch (error) {
    if (!(error instanceof ToolError)) grant.log(`${request.op} failed: ${String(error)}`);
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
    const tool = await getTool(getToolkit(grant, toolkit), name, signal);
    record.describe(tool, input);
    const isAsked = mode === "ask" || tool.needsApproval;
    const { vm, log, approvals } = grant;
    const { pid, command } = caller;
    const approve = isAsked ? askForCall({ vm, approvals, caller, subject, record }) : undefined;
    const events = callTool(tool, input, {
      vm,
      pid,
      command,
      signal,
      log,
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
    record.end(last);
  }
}

function getToolkit({ toolkits }: ToolkitGrant, name: string): Toolkit {
  const found = toolkits.find((toolkit) => toolkit.name === name);
  if (found !== undefined) return found;
  throw new ToolError(
    "usage",
    `There is no toolkit "${name}". "agentos list" shows those there are.`,
  );
}

async function getTool(toolkit: Toolkit, name: string, signal: AbortSignal): Promise<Tool> {
  const found = (await toolkit.tools(signal)).find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const how = `"agentos-${toolkit.name} --help" shows those it has`;
  throw new ToolError("usage", `The toolkit "${toolkit.name}" has no tool "${name}"; ${how}.`);
}

function isGranted({ policy }: ToolkitGrant, toolkit: string, tool: string): boolean {
  return policy.decide("toolkit", "invoke", `${toolkit}:${tool}`).mode !== "deny";
}

function describe(grant: ToolkitGrant, name: string, signal: AbortSignal) {
  return describeToolkit(
    getToolkit(grant, name),
    (tool) => isGranted(grant, name, tool.name),
    signal,
  );
}

const MATCHES = 10;

async function search(
  grant: ToolkitGrant,
  { query, limit = MATCHES }: Extract<DeviceRequest, { op: "search" }>,
  signal: AbortSignal,
) {
  return searchTools(grant.toolkits, query, {
    limit,
    signal,
    isGranted: (toolkit: string, tool: string) => isGranted(grant, toolkit, tool),
  });
}

function nameAndDescription({ name, description }: Toolkit) {
  return { name, description };
}

/** What is made of it is JSON: descriptions and lists of texts. */
function json(value: object): ToolEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data made above, whose interfaces have no index signature
  return { type: "result", value: { kind: "json", json: value as JsonValue } };
}
