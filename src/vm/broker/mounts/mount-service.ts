import { KernelError, type Policy } from "../../../kernel/index.ts";
import type { VmMount } from "../../vm-mount.ts";
import type { MountMethods, MountWish } from "../../wire/mount-requests.ts";
import { AnswerInTime } from "./answer-in-time.ts";
import { MountCalls, type MountReply } from "./mount-calls.ts";
import { MountPolicy } from "./mount-policy.ts";

export interface MountGrant {
  readonly mounts: readonly VmMount[];
  readonly policy: Policy;
  /** Whether what the policy says to ask for may have been allowed. */
  readonly canAsk: boolean;
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

  constructor({ mounts, policy, canAsk }: MountGrant) {
    this.#served = mounts.map(({ at, fileSystem, isReadOnly = false, timeoutMs = CALL_MS }) => ({
      calls: new MountCalls(fileSystem, new MountPolicy(policy, canAsk, at), isReadOnly),
      inTime: new AnswerInTime(timeoutMs),
    }));
  }

  /** ENODEV for a mount that the VM has not; ETIMEDOUT; else as the file system. */
  async callMount(
    { mount, wish }: MountMethods["callMount"]["params"],
    body: Uint8Array,
  ): Promise<MountReply> {
    const served = this.#served[mount];
    if (served === undefined) throw new KernelError("ENODEV");
    return served.inTime.answer(() => perform(served.calls, wish, body));
  }

  /** The cell is gone. */
  close(): void {
    for (const { calls } of this.#served) calls.nodes.close();
  }
}

async function perform(calls: MountCalls, wish: MountWish, body: Uint8Array): Promise<MountReply> {
  return (await calls.look(wish)) ?? calls.change(wish, body);
}
