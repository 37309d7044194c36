/**
 * Ends this process at once: an ordinary exit would wait for the threads of guests. The first process of a pid
 * namespace cannot kill itself; it can fail, though.
 */
export function endNow(): never {
  process.kill(process.pid, "SIGKILL");
  process.abort();
}
