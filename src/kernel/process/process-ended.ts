/**
 * Unwinds the code of a process that has ended or has replaced itself by exec.
 *
 * Thrown out of every system call from then on. Programs do not catch it; a `finally` may run, and
 * its calls fail the same way.
 */
export class ProcessEnded extends Error {
  constructor(pid: number) {
    super(`process ${pid} has ended`);
    this.name = "ProcessEnded";
  }
}
