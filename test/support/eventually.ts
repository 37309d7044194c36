import { setTimeout as delay } from "node:timers/promises";

/** Longer than anything awaited takes, however busy the machine is. */
const LIMIT_MS = 20_000;
const POLL_MS = 10;

/** Waits for a condition that something else brings about; fails by name when it does not come. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await delay(POLL_MS);
  }
}
