import { KernelError, type Policy } from "../../../kernel/index.ts";
import type { VmMount } from "../../vm-mount.ts";
import type { BrokerParams } from "../../wire/broker-methods.ts";
import type { ToCell } from "../../wire/messages.ts";
import type { MountCall } from "../../wire/mount-requests.ts";
import { AnswerInTime } from "./answer-in-time.ts";
import { MountCalls, type MountReply } from "./mount-calls.ts";
import { MountPolicy } from "./mount-policy.ts";

export interface MountGrant {
  readonly mounts: readonly VmMount[];
  readonly policy: Policy;
  /** Whether what the policy says to ask for may have been allowed. */
  readonly canAsk: boolean;
  /** Tells the cell what others changed. */
  readonly tell: (message: Extract<ToCell, { type: "mountChanged" }>) => void;
}

/** What a call of a mount may take. */
const CALL_MS = 30_000;

interface Served {
  readonly calls: MountCalls;
  readonly inTime: AnswerInTime;
}

/** Serves one cell the mounts of its VM. */
export class MountService {
  readonly #served: readonly Served[];

  constructor({ mounts, policy, canAsk, tell }: MountGrant) {
    this.#served = mounts.map(
      ({ at, fileSystem, isReadOnly = false, timeoutMs = CALL_MS }, mount) => ({
        calls: new MountCalls({
          fileSystem,
          policy: new MountPolicy(policy, canAsk, at),
          isReadOnly,
          tell: (node, changes) => tell({ type: "mountChanged", mount, node, changes }),
        }),
        inTime: new AnswerInTime(timeoutMs),
      }),
    );
  }

  /** ENODEV for a mount that the VM has not; ETIMEDOUT; else as the file system. */
  async call(
    { mount, request, ...holds }: BrokerParams<"mount.call">,
    body: Uint8Array,
  ): Promise<MountReply> {
    const served = this.#served[mount];
    if (served === undefined) throw new KernelError("ENODEV");
    served.calls.keep(holds);
    return served.inTime.answer(() => perform(served.calls, request, body));
  }

  /** The cell is gone. */
  close(): void {
    for (const { calls } of this.#served) calls.close();
  }
}

async function perform(
  calls: MountCalls,
  request: MountCall,
  body: Uint8Array,
): Promise<MountReply> {
  return (await calls.look(request)) ?? calls.change(request, body);
}
