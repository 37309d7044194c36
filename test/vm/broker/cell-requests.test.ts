import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KernelError } from "../../../src/kernel/index.ts";
import { type Stream, StreamBreach } from "../../../src/streams/index.ts";
import { CellRequests } from "../../../src/vm/broker/cell-requests.ts";
import { type Deferred, defer } from "../../../src/vm/deferred.ts";
import type { BrokerServices } from "../../../src/vm/wire/broker-methods.ts";
import type { ToCell } from "../../../src/vm/wire/messages.ts";
import { linkStreams } from "../../support/linked-streams.ts";

const LIMIT = 16;

const notAsked = async (): Promise<never> => {
  throw new KernelError("ENOSYS");
};

class Door {
  readonly replies: { readonly message: ToCell; readonly body: Uint8Array | undefined }[] = [];
  readonly distrusted: string[] = [];
  readonly logged: string[] = [];
  served = 0;
  /** What the wire's room waits for. */
  room: Deferred<void> | undefined;
  readonly requests: CellRequests;

  readonly streams = linkStreams();
  readonly opened: Stream[] = [];

  constructor(read: BrokerServices["mount"]["call"]) {
    this.requests = new CellRequests({
      services: {
        toolkit: {
          open: async (_params, _body, stream) => {
            this.opened.push(stream);
            return notAsked();
          },
          cancel: notAsked,
        },
        command: { start: notAsked, tell: notAsked },
        mount: {
          call: (params) => {
            this.served += 1;
            return read(params, new Uint8Array());
          },
        },
      },
      streams: this.streams.server,
      limits: { toolkit: 3, command: 1, mount: LIMIT },
      reply: async (message, body) => {
        this.replies.push({ message, body });
        await this.room?.promise;
      },
      distrust: (what) => this.distrusted.push(what),
      log: (line) => this.logged.push(line),
    });
  }

  ask(id: number, params: unknown = { mount: 0, request: { call: "statFs" } }): void {
    const request = { type: "request", id, method: "mount.call", params } as const;
    this.requests.receive(request, new Uint8Array());
  }
}

const part = { value: { offset: 3 }, body: Uint8Array.of(1, 2, 3) };

describe("CellRequests", () => {
  it("answers with what the service gives", async () => {
    const door = new Door(async () => part);
    door.ask(5);
    await turn();
    expect(door.replies).toEqual([
      { message: { type: "reply", id: 5, value: part.value }, body: part.body },
    ]);
  });

  it("passes a refusal on, and hides any other failure", async () => {
    const errors = [new KernelError("EACCES", "/host/path", "rule 1"), new Error("/host/secret")];
    const door = new Door(async () => {
      throw errors.shift() ?? new Error();
    });
    door.ask(1);
    await turn();
    door.ask(2);
    await turn();
    expect(door.replies.map(({ message }) => message)).toEqual([
      { type: "refusal", id: 1, errno: "EACCES", reason: "rule 1" },
      { type: "refusal", id: 2, errno: "EIO", reason: undefined },
    ]);
    expect(door.logged).toEqual(["mount.call failed: Error: /host/secret"]);
  });

  it("gives up a cell that asks for what no cell of ours asks for", () => {
    const door = new Door(async () => part);
    door.ask(1, { folder: 0, path: "../../etc/passwd", offset: 0, length: 9 });
    door.ask(1, "nonsense");
    expect(door.distrusted).toEqual(["an invalid request", "an invalid request"]);
    expect(door.served).toBe(0);
  });

  it("gives up a cell that has more requests under way than it may", async () => {
    const never = defer<typeof part>();
    const door = new Door(() => never.promise);
    for (let id = 0; id < LIMIT; id++) door.ask(id);
    await turn();
    expect([door.served, door.distrusted]).toEqual([LIMIT, []]);
    door.ask(99);
    expect(door.distrusted).toEqual(["more requests than it may have"]);
    never.resolve(part);
    await turn();
    door.ask(100);
    expect(door.distrusted).toHaveLength(1);
  });

  it("serves no more to a cell that does not read, and goes on when it does", async () => {
    const door = new Door(async () => part);
    door.room = defer<void>();
    door.ask(1);
    await turn();
    door.ask(2);
    await turn();
    expect(door.served).toBe(1);
    door.room.resolve();
    await turn();
    expect(door.served).toBe(2);
  });

  it("has the stream of a request before anything else is heard, and closes it with a refusal", async () => {
    const door = new Door(async () => part);
    const { cell, server } = door.streams;
    const stream = cell.open({ isOutgoingOnDemand: true });
    const params = { stream: stream.id, bytes: 0, id: 1, pid: 1, command: "", audited: 0 };
    const request = { type: "request", id: 1, method: "toolkit.open", params } as const;
    door.requests.receive(request, new Uint8Array());
    expect(server.size).toBe(1);
    expect(() => door.requests.receive(request, new Uint8Array())).toThrow(StreamBreach);
    await turn();
    expect(door.opened.map(({ id }) => id)).toEqual([stream.id]);
    expect(door.replies.map(({ message }) => message.type)).toEqual(["refusal"]);
    expect([stream.incoming.hasEnded, stream.outgoing.isStopped]).toEqual([true, true]);
  });
});
