/** Pseudo-terminals, see pty(7). */
import type { WindowSize } from "../abi/terminal.ts";
import type { Process } from "../process/process.ts";
import { addPair } from "./descriptors.ts";

export interface PtyFds {
  readonly master: number;
  readonly slave: number;
  /** The slave's device, e.g. /dev/pts/0. */
  readonly path: string;
}

/** A new pair, both ends open in this process; the slave does not become its terminal. */
export async function openpty(process: Process, size?: WindowSize): Promise<PtyFds> {
  const { master, slave, number } = process.kernel.ptys.create(process, size);
  const [masterFd, slaveFd] = addPair(process, [master, slave]);
  return { master: masterFd, slave: slaveFd, path: `/dev/pts/${number}` };
}
