import { z } from "zod";
import { SandboxError } from "../../provider.ts";
import type { DaytonaClient } from "./daytona-client.ts";
import { DaytonaError } from "./daytona-failure.ts";
import { pause } from "./pause.ts";
import { reachState } from "./sandbox-state.ts";

/** The name, which `image` of a later sandbox takes. SandboxError "unsupported", "failed" or "limit". */
export async function takeSnapshot(
  client: DaytonaClient,
  ref: string,
  name: string,
): Promise<string> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
    throw new SandboxError(
      "unsupported",
      "A snapshot's name has letters, digits, dots and dashes.",
    );
  if ((await findState(client, name)) !== undefined)
    throw new SandboxError("failed", `Daytona has a snapshot ${name} already.`);
  const { sandboxes } = client;
  await client.ask(
    (options) => sandboxes.createSandboxSnapshot(ref, { name }, undefined, options),
    { isRepeatable: false },
  );
  // The sandbox is back in its state when the snapshot is there, or could not be made.
  await reachState(client, {
    ref,
    wanted: ["started", "stopped", "paused"],
    limitMs: SNAPSHOT_LIMIT_MS,
    act: async () => undefined,
  });
  for (let tries = 0; tries < TRIES; tries++) {
    const state = await findState(client, name);
    if (state === "active") return name;
    if (state === "error" || state === "build_failed") break;
    await pause(POLL_MS);
  }
  throw new SandboxError("failed", `Daytona did not make the snapshot ${name}.`);
}

async function findState(client: DaytonaClient, name: string): Promise<string | undefined> {
  const { snapshots } = client;
  try {
    const answer = await client.ask((options) => snapshots.getSnapshot(name, undefined, options));
    return z.object({ state: z.string() }).parse(answer).state;
  } catch (error) {
    if (error instanceof DaytonaError && error.status === 404) return undefined;
    throw error;
  }
}

/** A large one takes minutes to be stored. */
const SNAPSHOT_LIMIT_MS = 1_800_000;
const TRIES = 60;
const POLL_MS = 500;
