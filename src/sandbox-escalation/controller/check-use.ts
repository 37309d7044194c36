import type { UseMeter } from "../limits-of-use/use-meter.ts";
import { SandboxError } from "../provider.ts";
import type { RecordLog } from "../records/record-log.ts";

export interface UseParts {
  readonly vm: string;
  readonly meters: readonly UseMeter[];
  readonly records: RecordLog;
}

/** SandboxError "limit" when one more start is too many. */
export function requireUse({ vm, meters, records }: UseParts): void {
  const refusal = meters.map((meter) => meter.findRefusal()).find((found) => found !== undefined);
  if (refusal === undefined) return;
  records.add(vm, "denied", { by: "limit", why: refusal });
  throw new SandboxError("limit", `No sandbox is started: ${refusal}.`);
}

/** Why one that runs must stop, if it must. */
export function findExceeded({ meters }: Pick<UseParts, "meters">): string | undefined {
  return meters.map((meter) => meter.findExceeded()).find((found) => found !== undefined);
}
