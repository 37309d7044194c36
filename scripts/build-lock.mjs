// One build at a time across processes: a lock file that holds its owner's pid. A lock whose owner
// is dead, or older than any build can be, is taken over.
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Longer than any build, so a waiter gives up only when something is stuck. */
const waitLimitMs = 150_000;
const pollMs = 25;

/**
 * Runs `work` while no other process runs work under the same lock file.
 *
 * @param {string} lockFile
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
export async function withBuildLock(lockFile, work) {
  const deadline = Date.now() + waitLimitMs;
  while (!tryLock(lockFile)) {
    if (Date.now() > deadline) {
      throw new Error(`Another build holds ${lockFile} for too long; remove it and try again.`);
    }
    await delay(pollMs);
  }
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/**
 * Takes the lock if nobody holds it. Linking a finished file makes the lock appear with its content.
 *
 * @param {string} lockFile
 */
function tryLock(lockFile) {
  dropIfStale(lockFile);
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** @param {string} lockFile */
function dropIfStale(lockFile) {
  try {
    const owner = readFileSync(lockFile, "utf8");
    const ageMs = Date.now() - statSync(lockFile).mtimeMs;
    if (isAlive(Number(owner)) && ageMs < waitLimitMs) return;
    const taken = `${lockFile}.stale.${process.pid}`;
    renameSync(lockFile, taken);
    // Another process may have taken the lock over since it was read: then it gets it back.
    if (readFileSync(taken, "utf8") !== owner) linkSync(taken, lockFile);
    rmSync(taken);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
