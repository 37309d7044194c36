/** Toolkits that the host itself calls, for whoever it serves: under the policy, approvals and audit that VMs have. */
import type { Policy } from "../kernel/index.ts";
import type { JsonValue, Tool, ToolEvent, Toolkit } from "../toolkit-cli/index.ts";
import { GrantedToolkits, policyOf } from "./broker/toolkits/granted-toolkits.ts";
import { serveToolRequest, type ToolkitGrant } from "./broker/toolkits/serve-tool-request.ts";
import { type EndedCall, ToolAudit } from "./broker/toolkits/tool-audit.ts";
import type { VmOptions } from "./vm-options.ts";

export interface HostToolkitsOptions extends Pick<VmOptions, "permissions" | "approvals"> {
  readonly toolkits: readonly Toolkit[];
  /** Gets a line for every call that has ended. */
  readonly log: (line: string) => void;
}

export interface HostToolCall {
  readonly toolkit: string;
  readonly tool: string;
  readonly input: JsonValue;
  /** Who calls, for people who are asked and for the log. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** Only the log is read of it. */
const RECORDS = 16;

export class HostToolkits {
  readonly toolkits: readonly Toolkit[];
  readonly #policy: Policy;
  readonly #grant: ToolkitGrant;

  constructor(options: HostToolkitsOptions) {
    const { toolkits, permissions, approvals, log } = options;
    const policy = policyOf(permissions === undefined ? {} : { permissions });
    const audit = new ToolAudit(RECORDS);
    audit.onEnded((call) => log(describeEnd(call)));
    this.toolkits = toolkits;
    this.#policy = policy;
    this.#grant = {
      vm: "",
      toolkits: new GrantedToolkits(toolkits, policy),
      policy,
      approvals,
      audit,
      log,
    };
  }

  /** The tools of a toolkit that the policy does not deny. As Toolkit.tools. */
  async toolsOf(toolkit: Toolkit, signal?: AbortSignal): Promise<readonly Tool[]> {
    const tools = await toolkit.tools(signal);
    return tools.filter(({ name }) => {
      const subject = `${toolkit.name}:${name}`;
      return this.#policy.decide("toolkit", "invoke", subject).mode !== "deny";
    });
  }

  /** The last event is a result or an error; never throws. */
  call({ toolkit, tool, input, caller, signal }: HostToolCall): AsyncIterable<ToolEvent> {
    return serveToolRequest(this.#grant, {
      request: { id: 0, op: "call", toolkit, tool, input },
      caller: { pid: 0, command: caller, audited: 0, resultBytes: () => 0 },
      signal,
    });
  }
}

function describeEnd({ subject, outcome, durationMs = 0, decidedBy, input }: EndedCall): string {
  const decided = decidedBy === undefined ? "" : `, decided by ${decidedBy}`;
  return `tool ${subject}: ${outcome} after ${Math.round(durationMs)} ms${decided}, with ${input ?? "nothing"}`;
}
