// A sandbox's record at Daytona, and the wait until it is in some state.
import { z } from "zod";
import { SandboxError } from "../../provider.ts";
import type { DaytonaClient } from "./daytona-client.ts";
import { DaytonaError } from "./daytona-failure.ts";
import { fromDaytona } from "./label-names.ts";
import { pause } from "./pause.ts";

const schema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  state: z.string().optional(),
  desiredState: z.string().optional(),
  errorReason: z.string().nullish(),
  labels: z.record(z.string(), z.string()).transform(fromDaytona),
  createdAt: z.string().optional(),
  autoDestroyAt: z.string().nullish(),
  toolboxProxyUrl: z.string().max(2048).optional(),
  sandboxClass: z.string().optional(),
});

/** What of it is used. */
export type DaytonaRecord = z.infer<typeof schema>;

/** SandboxError "failed" for what is no record. */
export function readRecord(answer: unknown): DaytonaRecord {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SandboxError("failed", "Daytona's answer does not describe a sandbox.");
}

/** Undefined when Daytona has none. `name` may be its id. */
export async function findRecord(
  client: DaytonaClient,
  name: string,
  signal?: AbortSignal,
): Promise<DaytonaRecord | undefined> {
  try {
    const { sandboxes } = client;
    const answer = await client.ask(
      (options) => sandboxes.getSandbox(name, undefined, undefined, options),
      { signal },
    );
    const record = readRecord(answer);
    return record.state === "destroyed" ? undefined : record;
  } catch (error) {
    if (error instanceof DaytonaError && error.status === 404) return undefined;
    throw error;
  }
}

export interface StateWish {
  readonly ref: string;
  /** Asks for it where it is in none of `wanted`; refused while Daytona is changing its state. */
  readonly act: (record: DaytonaRecord) => Promise<void>;
  readonly wanted: readonly string[];
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Acts until the sandbox is in a wanted state; undefined when there is none any more. SandboxError "failed" when
 * it fell into an error, "limit" when it takes too long.
 */
export async function reachState(
  client: DaytonaClient,
  wish: StateWish,
): Promise<DaytonaRecord | undefined> {
  const endsAtMs = Date.now() + wish.limitMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    const record = await findRecord(client, wish.ref, wish.signal);
    if (record === undefined || wish.wanted.includes(record.state ?? "")) return record;
    refuseFailed(record);
    if (Date.now() > endsAtMs)
      throw new SandboxError("limit", `Sandbox ${wish.ref} is still ${record.state} at Daytona.`);
    await wish.act(record).catch(passOnUnlessBusy);
    await pause(waitMs, wish.signal);
  }
}

/** 409: another change of its state is under way. */
export function passOnUnlessBusy(error: unknown): void {
  if (error instanceof DaytonaError && error.status === 409) return;
  throw error;
}

function refuseFailed({ id, state, errorReason }: DaytonaRecord): void {
  if (state !== "error" && state !== "build_failed") return;
  const why = (errorReason ?? "no reason is told").replace(/[^\x20-\x7e]+/g, " ").slice(0, 400);
  throw new SandboxError("failed", `Sandbox ${id} failed at Daytona (${state}): ${why}`);
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;
