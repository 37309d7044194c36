// How a server becomes the one server of its home and build.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:net";
import { type Home, newSocketPath } from "../home.ts";
import {
  isAnswering,
  listRecords,
  removeRecord,
  type ServerRecord,
  writeRecord,
} from "../server-record.ts";
import { withHomeLock } from "./home-lock.ts";

/** A home that is ours now. */
export interface Claim {
  readonly record: ServerRecord;
  /** Servers of other builds that run in this home. */
  readonly others: readonly ServerRecord[];
}

/**
 * Makes `server` listen and publishes it, unless a server of this build runs already: then undefined.
 * Clears away what killed servers left. The socket's name is new each time, so that nothing a server
 * does on its way out can touch its successor.
 */
export async function claimHome(
  home: Home,
  { build, config }: Required<Pick<ServerRecord, "build" | "config">>,
  server: Server,
): Promise<Claim | undefined> {
  return await withHomeLock(home, async () => {
    const others: ServerRecord[] = [];
    for (const record of listRecords(home)) {
      if (!(await isAnswering(record))) removeRecord(home, record);
      else if (record.build === build) return undefined;
      else others.push(record);
    }
    const socket = newSocketPath(home, `server-${build}-${randomBytes(3).toString("hex")}`);
    const listening = once(server, "listening");
    server.listen(socket);
    await listening;
    const key = randomBytes(16).toString("hex");
    const record = { build, pid: process.pid, socket, config, key };
    writeRecord(home, record);
    return { record, others };
  });
}
