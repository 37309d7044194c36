import { AF_UNIX, SOCK_STREAM } from "../abi/socket.ts";
import type { Process } from "../process/process.ts";
import { type Endpoint, endpointText } from "../socket/endpoint.ts";
import type { SocketFile } from "../socket/socket-file.ts";
import { requirePermission } from "./require-permission.ts";

export interface NetworkAccess {
  readonly process: Process;
  readonly call: string;
  readonly socket: SocketFile;
  /** `listen` to let others come, `http` (agentOS's word) to go to others, whatever is spoken. */
  readonly operation: "listen" | "http";
  readonly endpoint: Endpoint;
}

/**
 * Fails with EACCES where the policy does not let an internet socket be used so. The subject is
 * `tcp://127.0.0.1:80`. Unix sockets are files, and asked as such.
 */
export async function requireNetwork(access: NetworkAccess): Promise<void> {
  const { process, call, socket, operation, endpoint } = access;
  if (socket.domain === AF_UNIX) return;
  const protocol = socket.type === SOCK_STREAM ? "tcp" : "udp";
  const subject = `${protocol}://${endpointText(endpoint)}`;
  const asked = `${operation} ${subject}`;
  if (socket.allowedSubject === asked) return;
  await requirePermission({ process, call, scope: "network", operation, subject });
  if (!process.isTrusted) socket.allowedSubject = asked;
}
