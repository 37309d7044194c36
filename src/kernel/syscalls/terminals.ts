/** Pseudo-terminals, see pty(7). */
import type { WindowSize } from "../abi/terminal.ts";
import type { Process } from "../process/process.ts";

export interface PtyFds {
  readonly master: number;
  readonly slave: number;
  /** The slave's device, e.g. /dev/pts/0. */
  readonly path: string;
}

/** A new pair, both ends open in this process; the slave does not become its terminal. */
export async function openpty(process: Process, size?: WindowSize): Promise<PtyFds> {
  const { master, slave, number } = process.kernel.ptys.create(process, size);
  const masterFd = process.fds.add(master);
  try {
    return { master: masterFd, slave: process.fds.add(slave), path: `/dev/pts/${number}` };
  } catch (error) {
    process.fds.close(masterFd);
    slave.retain();
    slave.drop();
    throw error;
  }
}
