import type { Stat } from "../../abi/stat.ts";

/** What an open device knows of the file it was opened by. */
export interface DeviceNode {
  /** What /proc/self/fd shows, e.g. `/dev/null`. */
  readonly path: string;
  stat(): Promise<Stat>;
}
