import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KernelError } from "../../../src/kernel/index.ts";
import { type BrokerServices, CellRequests } from "../../../src/vm/broker/cell-requests.ts";
import { type Deferred, defer } from "../../../src/vm/deferred.ts";
import type { ToCell } from "../../../src/vm/wire/messages.ts";
import { REQUESTS_LIMIT } from "../../../src/vm/wire/requests.ts";

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

  constructor(read: BrokerServices["readSoftware"]) {
    this.requests = new CellRequests({
      services: {
        listSoftware: async () => ({ value: {}, body: new Uint8Array() }),
        readSoftware: (params) => {
          this.served += 1;
          return read(params, new Uint8Array());
        },
        putToolRequest: async () => ({ value: {}, body: new Uint8Array() }),
        openToolCall: async () => ({ value: { isEnd: true }, body: new Uint8Array() }),
        nextToolEvents: async () => ({ value: { isEnd: true }, body: new Uint8Array() }),
        cancelToolCall: async () => ({ value: {}, body: new Uint8Array() }),
        putCommandStart: notAsked,
        startCommand: notAsked,
        nextCommandEvents: notAsked,
        feedCommand: notAsked,
        tellCommand: notAsked,
        callMount: notAsked,
      },
      limits: { software: REQUESTS_LIMIT, toolkit: 3, command: 1, mount: 1 },
      reply: async (message, body) => {
        this.replies.push({ message, body });
        await this.room?.promise;
      },
      distrust: (what) => this.distrusted.push(what),
      log: (line) => this.logged.push(line),
    });
  }

  ask(id: number, params: unknown = { folder: 0, path: "f", offset: 0, length: 9 }): void {
    const request = { type: "request", id, method: "readSoftware", params } as const;
    this.requests.receive(request, new Uint8Array());
  }
}

const part = { value: { sizeBytes: 3, mtimeMs: 1 }, body: Uint8Array.of(1, 2, 3) };

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
    expect(door.logged).toEqual(["readSoftware failed: Error: /host/secret"]);
  });

  it("gives up a cell that asks for what no cell of ours asks for", () => {
    const door = new Door(async () => part);
    door.ask(1, { folder: 0, path: "../../etc/passwd", offset: 0, length: 9 });
    door.ask(1, "nonsense");
    expect(door.distrusted).toEqual(["a request that is none", "a request that is none"]);
    expect(door.served).toBe(0);
  });

  it("gives up a cell that has more requests under way than it may", async () => {
    const never = defer<typeof part>();
    const door = new Door(() => never.promise);
    for (let id = 0; id < REQUESTS_LIMIT; id++) door.ask(id);
    await turn();
    expect([door.served, door.distrusted]).toEqual([REQUESTS_LIMIT, []]);
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
});
