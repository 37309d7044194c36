import type { LockOwner } from "./record-locks.ts";

/** One process waiting for another's lock. */
export interface LockWait {
  readonly owner: LockOwner;
  readonly blocker: LockOwner;
}

/** Whether the new wait closes a circle: its blocker waits, over whatever way, for its owner. */
export function closesCircle(waits: Iterable<LockWait>, added: LockWait): boolean {
  const all = [...waits];
  const seen = new Set<LockOwner>();
  const toFollow = [added.blocker];
  for (let owner = toFollow.pop(); owner !== undefined; owner = toFollow.pop()) {
    if (owner === added.owner) return true;
    if (seen.has(owner)) continue;
    seen.add(owner);
    for (const wait of all) if (wait.owner === owner) toFollow.push(wait.blocker);
  }
  return false;
}
