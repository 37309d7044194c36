// The servers of a home, whatever their build, as `agentos-mcp approvals` talks to them: what waits at
// one that is about to retire is to be answered as well. Runs on Node 20.

import type { PendingApproval } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { CommandContext } from "../command-list.ts";
import { connectToRecord } from "../connect/connect-to-server.ts";
import { ControlClient, openControl } from "../control/control-client.ts";
import { ControlError } from "../control/running-call.ts";
import { listRecords } from "../server-record.ts";

export interface RememberedEntry {
  readonly kind: string;
  readonly subject: string;
  readonly answer: string;
  readonly by: string;
  readonly at: string;
}

export interface DecisionRequest {
  readonly id: string;
  readonly inputSha256?: string;
  readonly answer: "allow" | "deny";
  readonly scope: string;
  readonly by: string;
}

/** Close it, or the process does not end. */
export class ApprovalServers {
  readonly #clients: readonly ControlClient[];

  private constructor(clients: readonly ControlClient[]) {
    this.#clients = clients;
  }

  /** Those that run; where none does and one is needed, it is started. */
  static async connect(context: CommandContext, startsOne: boolean): Promise<ApprovalServers> {
    const launch = context.launchServer();
    const clients: ControlClient[] = [];
    for (const record of listRecords(launch.home)) {
      const socket = await connectToRecord({ role: "control" }, record);
      if (socket !== undefined) clients.push(new ControlClient(socket));
    }
    if (clients.length === 0 && startsOne) clients.push(await openControl(launch));
    return new ApprovalServers(clients);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
  }

  /** The oldest first. */
  async pending(): Promise<PendingApproval[]> {
    const all: PendingApproval[] = [];
    await this.#collect("approvals", ({ pending }) => {
      if (isEntry<PendingApproval>(pending, "id")) all.push(pending);
    });
    return all.toSorted((one, other) => one.askedAt - other.askedAt);
  }

  async remembered(): Promise<RememberedEntry[]> {
    const all = new Map<string, RememberedEntry>();
    await this.#collect("approvals_remembered", ({ remembered }) => {
      if (!isEntry<RememberedEntry>(remembered, "subject")) return;
      all.set(JSON.stringify([remembered.kind, remembered.subject]), remembered);
    });
    return [...all.values()];
  }

  async revoke({ kind, subject }: RememberedEntry): Promise<void> {
    for (const client of this.#clients) {
      await client.call("approval_revoke", { kind, subject }).result;
    }
  }

  /** All of what an approval's call is given, as people see it. Rejects with ControlError. */
  async inputOf(id: string): Promise<string> {
    const pieces: Uint8Array[] = [];
    await this.#first(id, (client) => {
      pieces.length = 0;
      // The bytes are the stream's again when this returns.
      const onBytes = (bytes: Uint8Array): void => void pieces.push(bytes.slice());
      return client.call("approval_input", { id }, { onBytes }).result;
    });
    return Buffer.concat(pieces).toString();
  }

  /** The shims of the clients that are connected. */
  async shims(): Promise<number[]> {
    const statuses = await Promise.all(this.#clients.map((client) => client.call("status").result));
    return statuses.flatMap((status) => {
      const isKnown = typeof status === "object" && status !== null && "shims" in status;
      return isKnown && Array.isArray(status.shims) ? status.shims.filter(isNumber) : [];
    });
  }

  /** What was decided. Rejects with ControlError. */
  async decide(request: DecisionRequest): Promise<string> {
    const result = await this.#first(
      request.id,
      (client) => client.call("approval_decide", { ...request }).result,
    );
    const pending: unknown =
      typeof result === "object" && result !== null ? Reflect.get(result, "pending") : undefined;
    return isEntry<PendingApproval>(pending, "id") ? pending.summary : request.id;
  }

  /** What the server answers that has the approval. */
  async #first(id: string, call: (client: ControlClient) => Promise<unknown>): Promise<unknown> {
    let missing = new ControlError(
      "APPROVAL_NOT_FOUND",
      `Nothing waits for approval as "${id}". agentos-mcp approvals lists what waits.`,
    );
    for (const client of this.#clients) {
      try {
        return await call(client);
      } catch (error) {
        if (!isNotThere(error)) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  /** Tells what happens until the servers have gone. */
  async watch(onEvent: (event: FrameHeader) => void): Promise<void> {
    await this.#collect("approvals_watch", onEvent);
  }

  /** All servers at once; one that does not know the method has nothing to tell. */
  async #collect(method: string, onEvent: (event: FrameHeader) => void): Promise<void> {
    const calls = this.#clients.map(async (client) => {
      try {
        await client.call(method, {}, { onEvent }).result;
      } catch (error) {
        if (!isNotThere(error)) throw error;
      }
    });
    await Promise.all(calls);
  }
}

function isNotThere(error: unknown): error is ControlError {
  return (
    error instanceof ControlError &&
    ["APPROVAL_NOT_FOUND", "METHOD_NOT_FOUND", "SERVER_LOST"].includes(error.code)
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

/** Our own server says the rest. */
function isEntry<Entry>(value: unknown, key: keyof Entry & string): value is Entry {
  return typeof value === "object" && value !== null && key in value;
}
