import { encodeText, KernelError } from "../../../kernel/index.ts";
import { type CommandMethods, START_LIMIT_BYTES } from "../../wire/command-requests.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";
import type { BrokerReply } from "../../wire/requests.ts";
import type { ServerRequests } from "../server-requests.ts";

type StartParams = CommandMethods["startCommand"]["params"];

/** Starts the runs of a VM's host commands at the server: the pieces of one long start at a time. */
export class CommandStarts {
  readonly #requests: ServerRequests;
  #putting: Promise<void> = Promise.resolve();
  #lastRun = 0;

  constructor(requests: ServerRequests) {
    this.#requests = requests;
  }

  nextRun(): number {
    this.#lastRun += 1;
    return this.#lastRun;
  }

  /** Undefined when `isWanted` says no before it is on its way. As the server refuses. */
  async send(
    params: StartParams,
    body: Uint8Array,
    isWanted: () => boolean,
  ): Promise<BrokerReply<"startCommand"> | undefined> {
    // Nobody tells the server of the end of a process that has ended before.
    if (!isWanted()) return undefined;
    if (body.length <= CHUNK_BYTES) return this.#requests.request("startCommand", params, body);
    const before = this.#putting;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#putting = promise;
    try {
      await before;
      let at = 0;
      for (; body.length - at > CHUNK_BYTES && isWanted(); at += CHUNK_BYTES) {
        const piece = body.subarray(at, at + CHUNK_BYTES);
        await this.#requests.request("putCommandStart", { run: params.run }, piece);
      }
      if (!isWanted()) return undefined;
      const reply = this.#requests.request("startCommand", params, body.subarray(at));
      resolve();
      return await reply;
    } finally {
      resolve();
    }
  }
}

/** What a process starts with as one body, see startCommand. E2BIG. */
export function encodeStart(
  cwd: string,
  argv: readonly string[],
  env: ReadonlyMap<string, string>,
): Uint8Array {
  const texts = [cwd, ...argv];
  for (const [name, value] of env) texts.push(`${name}=${value}`);
  const body = encodeText(`${texts.join("\0")}\0`);
  if (body.length > START_LIMIT_BYTES) throw new KernelError("E2BIG");
  return body;
}
