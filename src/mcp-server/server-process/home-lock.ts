// One process at a time may look at a home's servers and become one. SQLite's file lock is the
// operating system's: it goes with its process, however that ends, on every platform.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Home } from "../home.ts";

/** Looking takes milliseconds; a process that holds the lock for so long hangs. */
const lockLimitMs = 10_000;

/**
 * Runs `work` while no other process of this home does. Waits for the others, blocking; throws when
 * one of them does not end. The lock's file is empty and stays.
 */
export async function withHomeLock<Result>(
  home: Home,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = new DatabaseSync(join(home.directory, "lock"), { timeout: lockLimitMs });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return await work();
  } finally {
    lock.close();
  }
}
