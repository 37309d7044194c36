import { z } from "zod";
import type { SandboxController } from "../../sandbox-escalation/index.ts";
import { HostError } from "../../vm/host-error.ts";
import type { PendingApproval } from "../../vm/index.ts";
import { attendWork } from "../approvals/attend-work.ts";
import { pendingApproval, pendingText, presentPending } from "../approvals/present-pending.ts";
import type { WaitingWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool, type McpCall } from "../mcp-tool.ts";
import { optionalVmId } from "./arguments.ts";

/** Under the common limit of clients, a minute. */
const waitMs = 50_000;

/** As sandbox-escalation has it, which is loaded by who uses it. */
const mountPoint = "/sandbox";

const output = z.object({
  vm_id: z.string(),
  state: z.enum(["none", "starting", "running", "stopping", "stopped", "destroyed"]),
  provider: z.string(),
  /** Where its files are in the VM, and in it. */
  mount: z.string(),
  workspace: z.string(),
  network: z.string(),
  memory_mb: z.number(),
  pending: z.array(pendingApproval).optional(),
});

/** Asked for once more while it starts, it waits for the same start. */
export const sandboxOpen = defineTool({
  name: "sandbox_open",
  title: "Open a sandbox",
  description:
    "Starts a full Linux machine for a VM, for compilers, packages and browsers. Then use it with vm_exec: " +
    "sandbox exec -- gcc a.c. Both machines share the files in /sandbox, also called /workspace.",
  inputSchema: z.strictObject({
    vm_id: optionalVmId,
    reason: z.string().min(1).max(300).describe("Reason, shown to the person who approves"),
    provider: z.string().max(40).optional().describe("Provider; sandbox status lists them"),
  }),
  outputSchema: output,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/searchHint": "full Linux sandbox machine gcc apt compile browser" },
  async handler({ vm_id, reason, provider }, call) {
    const vm = await chosenVm(call, vm_id);
    const desk = await call.approvals();
    const resumed = desk.resume(call);
    const work =
      resumed?.work ?? new OpeningWork(await controllerOf(call, vm.id), reason, provider);
    if (!(work instanceof OpeningWork)) throw new HostError("CALL_GONE");
    const question = await attendWork({ work, call, limitMs: waitMs, resumed });
    if (question !== undefined) return question;
    if (call.signal.aborted) work.cancel();
    if (work.failure !== undefined) throw await explainFailure(vm.id, work.failure);
    return present(work.controller, presentPending(work.isOver ? [] : await desk.tell(work)));
  },
});

/** A start that somebody waits for. It goes on when the call answers that it is pending. */
class OpeningWork implements WaitingWork {
  readonly controller: SandboxController;
  isOver = false;
  failure: unknown;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;

  constructor(controller: SandboxController, reason: string, provider: string | undefined) {
    this.controller = controller;
    const { signal } = this.#abort;
    this.#done = controller
      .ensure({
        pid: 0,
        command: "sandbox_open",
        reason,
        signal,
        ...(provider === undefined ? {} : { provider }),
      })
      .then(() => undefined)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.isOver = true;
      });
  }

  cancel(): void {
    this.#abort.abort(new DOMException("The client cancelled the call.", "AbortError"));
  }

  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    if (this.isOver || signal.aborted) return;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(end, limitMs);
    signal.addEventListener("abort", end, { once: true });
    await Promise.race([this.#done, over]);
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }

  async asksFor({ vm, kind }: PendingApproval): Promise<boolean> {
    return vm === this.controller.options.vm && kind === "escalation";
  }
}

/** SANDBOX_FAILED. */
async function controllerOf(call: McpCall, vm: string): Promise<SandboxController> {
  const found = (await call.sandboxes())?.find(vm);
  if (found !== undefined) return found;
  throw new HostError("SANDBOX_FAILED", { vm, problem: "the configuration allows no sandbox." });
}

/** What the sandbox's side says is for the client. */
async function explainFailure(vm: string, error: unknown): Promise<unknown> {
  const { SandboxError } = await import("../../sandbox-escalation/index.ts");
  if (!(error instanceof SandboxError)) return error;
  return new HostError("SANDBOX_FAILED", { vm, problem: error.message }, { cause: error });
}

function present(
  controller: SandboxController,
  pending: ReturnType<typeof presentPending>,
): { structuredContent: z.output<typeof output>; content: [{ type: "text"; text: string }] } {
  const { state, offer } = controller.status();
  const provider = offer?.provider.id ?? "";
  const workspace = controller.current?.cwd ?? "/workspace";
  const structuredContent = {
    vm_id: controller.options.vm,
    state,
    provider,
    mount: mountPoint,
    workspace,
    network: offer?.network ?? "none",
    memory_mb: offer?.limits.memoryMb ?? 0,
    ...(pending.length === 0 ? {} : { pending }),
  };
  const line = `The sandbox (${provider}) is ${state}. ${mountPoint} in the VM is ${workspace} there; run: sandbox exec -- COMMAND`;
  const text = pending.length === 0 ? line : pendingText(pending);
  return { structuredContent, content: [{ type: "text", text }] };
}
