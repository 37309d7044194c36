// A new server asks the servers of other builds in its home to leave with their last clients.
import { connectToRecord } from "../connect/connect-to-server.ts";
import { ControlClient } from "../control/control-client.ts";
import type { ServerRecord } from "../server-record.ts";

/** Resolves when all have been asked. One that cannot be reached is left alone, and reported. */
export async function retireOthers(
  others: readonly ServerRecord[],
  onError: (error: unknown, record: ServerRecord) => void,
): Promise<void> {
  await Promise.all(
    others.map((record) => retire(record).catch((error: unknown) => onError(error, record))),
  );
}

async function retire(record: ServerRecord): Promise<void> {
  const socket = await connectToRecord({ role: "control" }, record);
  if (socket === undefined) return;
  const client = new ControlClient(socket);
  try {
    await client.call("retire").result;
  } finally {
    await client.close();
  }
}
