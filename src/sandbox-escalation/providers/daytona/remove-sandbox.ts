import { SandboxError } from "../../provider.ts";
import type { DaytonaClient } from "./daytona-client.ts";
import { DaytonaError } from "./daytona-failure.ts";
import { pause } from "./pause.ts";
import { findRecord, passOnUnlessBusy } from "./sandbox-state.ts";

/** Returns when Daytona has it no more; `name` may be its id. SandboxError "not-confirmed". */
export async function removeSandbox(client: DaytonaClient, name: string): Promise<void> {
  try {
    await untilGone(client, name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SandboxError("not-confirmed", `Sandbox ${name} may run on at Daytona. ${why}`);
  }
}

async function untilGone(client: DaytonaClient, name: string): Promise<void> {
  let ref = name;
  let askedAtMs: number | undefined;
  for (const endsAtMs = Date.now() + REMOVE_LIMIT_MS; Date.now() < endsAtMs; ) {
    const record = await findRecord(client, ref);
    if (record === undefined) return;
    // A sandbox that is being destroyed has lost its name.
    ref = record.id;
    const isGoing = record.state === "destroying" || record.desiredState === "destroyed";
    if (!isGoing && askedAtMs === undefined)
      askedAtMs = (await isAccepted(client, ref)) ? Date.now() : undefined;
    else if (!isGoing && Date.now() - (askedAtMs ?? 0) > STALE_LIMIT_MS)
      throw new Error("It was told to go and is listed still.");
    await pause(POLL_MS);
  }
  throw new Error("It is listed still.");
}

/** False while another change of its state is under way. */
async function isAccepted(client: DaytonaClient, ref: string): Promise<boolean> {
  const { sandboxes } = client;
  try {
    await client.ask((options) => sandboxes.deleteSandbox(ref, undefined, options));
    return true;
  } catch (error) {
    if (error instanceof DaytonaError && error.status === 404) return true;
    passOnUnlessBusy(error);
    return false;
  }
}

const REMOVE_LIMIT_MS = 120_000;
const POLL_MS = 200;
/** Daytona's answers about a sandbox may be some seconds old. */
const STALE_LIMIT_MS = 5000;
