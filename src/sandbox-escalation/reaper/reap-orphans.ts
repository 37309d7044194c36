import type { Disposal } from "../controller/disposal.ts";
import { SandboxError, type SandboxProvider, type SandboxRecord } from "../provider.ts";
import { readServerMark } from "../providers/local/server-mark.ts";
import type { RecordLog } from "../records/record-log.ts";

export interface ReapOptions {
  readonly providers: readonly SandboxProvider[];
  readonly owner: string;
  /** What was made later is this server's own, where its maker is not known. */
  readonly madeBeforeMs: number;
  readonly disposal: Disposal;
  readonly records: RecordLog;
  readonly log: (line: string) => void;
}

/**
 * Destroys what a server before this one has left: VMs end with their server, so nobody comes back for
 * their sandboxes. What another server of this owner still uses is let be. Never throws. How many.
 */
export async function reapOrphans(options: ReapOptions): Promise<number> {
  let count = 0;
  for (const provider of options.providers) {
    try {
      count += await reapOf(provider, options);
    } catch (error) {
      options.log(`sandboxes of ${provider.id} cannot be listed: ${String(error)}`);
    }
  }
  return count;
}

async function reapOf(provider: SandboxProvider, options: ReapOptions): Promise<number> {
  const { owner, madeBeforeMs, disposal, records, log } = options;
  let count = 0;
  for (const record of await provider.list(owner)) {
    if (isOwn(record, madeBeforeMs)) continue;
    const { ref, vm } = record;
    try {
      const sandbox = await provider.attach(ref);
      records.add(vm, "reaped", { ref, provider: provider.id });
      if (await disposal.dispose(vm, sandbox)) count += 1;
    } catch (error) {
      if (!(error instanceof SandboxError)) log(`the sandbox ${ref} is left: ${String(error)}`);
    }
  }
  return count;
}

/** A provider's clock may be another than ours: who made it counts more than when. */
function isOwn({ server, createdAtMs }: SandboxRecord, madeBeforeMs: number): boolean {
  return server === undefined ? createdAtMs >= madeBeforeMs : server === readServerMark();
}
