// The names by which clients read the whole output of a command.

export type LogStream = "stdout" | "stderr";

export interface LogAddress {
  readonly vmId: string;
  readonly execId: string;
  readonly stream: LogStream;
}

export function logUri({ vmId, execId, stream }: LogAddress): string {
  return `vm://${vmId}/exec/${execId}/${stream}`;
}

/** What an address names, or undefined for anything else. */
export function parseLogUri(uri: string): LogAddress | undefined {
  const match = /^vm:\/\/([^/]+)\/exec\/([^/]+)\/(stdout|stderr)$/.exec(uri);
  const [, vmId, execId, stream] = match ?? [];
  if (vmId === undefined || execId === undefined) return undefined;
  return { vmId, execId, stream: stream === "stderr" ? "stderr" : "stdout" };
}
