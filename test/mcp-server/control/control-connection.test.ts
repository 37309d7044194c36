import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlClient } from "../../../src/mcp-server/control/control-client.ts";
import { ControlConnection } from "../../../src/mcp-server/control/control-connection.ts";
import { MalformedMessage } from "../../../src/mcp-server/control/messages.ts";
import type { ControlCall, ControlMethod } from "../../../src/mcp-server/control/methods.ts";
import { HostError } from "../../../src/vm/host-error.ts";
import { encodeFrame } from "../../../src/vm/wire/frame.ts";
import { outcome } from "../../support/waiter.ts";
import { socketPair } from "../support/socket-pair.ts";

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

/** Many that fit one piece, and some that take several. */
const eventLengths = [...Array.from({ length: 1000 }, (_, n) => n % 300), 400_000, 0, 300_001, 1];

/** What each test needs of a method, and no more. */
const methods = new Map<string, ControlMethod>([
  ["add", async ({ one, other }) => Number(one) + Number(other)],
  [
    "upper",
    async (_params, { input, output, tell }) => {
      let bytes = 0;
      for await (const piece of input) {
        bytes += piece.length;
        await tell({ bytes });
        await output.write(Buffer.from(Buffer.from(piece).toString().toUpperCase()), 7);
      }
      return { bytes };
    },
  ],
  [
    "flood",
    async (_params, { output }) => {
      for (let n = 0; n < 64; n++) await output.write(new Uint8Array(1024 * 1024), 1);
      return "flooded";
    },
  ],
  [
    "tellMuch",
    async (_params, { output, tell }) => {
      await output.write(Buffer.from("x"), 1);
      for (const length of eventLengths) await tell({ words: "é".repeat(length) });
    },
  ],
  [
    "readOnce",
    async (_params, { input, isInputOnDemand }) => {
      const piece = await input.next();
      return { isInputOnDemand, read: Buffer.from(piece ?? []).toString() };
    },
  ],
  [
    "readAll",
    async (_params, { input, signal }) => {
      let bytes = 0;
      for await (const piece of input) bytes += piece.length;
      inputs.push({ bytes, isAll: !signal.aborted });
    },
  ],
  [
    "ignoreInput",
    async (_params, { signal }) => {
      await aborted(signal);
      throw new DOMException("stopped", "AbortError");
    },
  ],
  ["missing", () => Promise.reject(new HostError("VM_NOT_FOUND", { vm: "x" }))],
  ["bug", () => Promise.reject(new TypeError("secret"))],
  ["tooLong", async () => "x".repeat(300_000)],
]);

let near: Socket;
let far: Socket;
let client: ControlClient;
let connection: ControlConnection;
let bugs: unknown[];
let inputs: { readonly bytes: number; readonly isAll: boolean }[];
beforeEach(async () => {
  [near, far] = await socketPair();
  bugs = [];
  inputs = [];
  const server = { status: unused, stop: unused, retire: unused };
  const shared = { server, vms: unused, approvals: unused } as Pick<
    ControlCall,
    "server" | "vms" | "approvals"
  >;
  connection = new ControlConnection(far, { methods, shared, logBug: (error) => bugs.push(error) });
  client = new ControlClient(near);
});
afterEach(async () => {
  await client.close();
  await connection.closed;
});

function unused(): never {
  throw new Error("No method of these tests uses this.");
}

describe("a control connection", () => {
  it("answers calls by their method, several at a time", async () => {
    const sums = [1, 2, 3].map((one) => client.call("add", { one, other: 10 }).result);
    expect(await Promise.all(sums)).toEqual([11, 12, 13]);
  });

  it("carries input, bytes and events of a call both ways, in order, to its end", async () => {
    const got: unknown[] = [];
    const call = client.call(
      "upper",
      {},
      {
        onEvent: (event) => void got.push(event),
        onBytes: (bytes, tag) => void got.push([tag, Buffer.from(bytes).toString()]),
      },
    );
    await call.write(Buffer.from("one"), 1);
    await call.write(Buffer.from("three"), 2);
    await call.endInput();
    expect(await call.result).toEqual({ bytes: 8 });
    expect(got).toEqual([{ bytes: 3 }, [7, "ONE"], { bytes: 8 }, [7, "THREE"]]);
  });

  it("makes a method wait for a caller that is slow to take its output", async () => {
    const held = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let received = 0;
    const call = client.call(
      "flood",
      {},
      {
        onBytes: async (bytes) => {
          const { length } = bytes;
          first.resolve();
          await held.promise;
          received += length;
        },
      },
    );
    await first.promise;
    // The connection is read on: another call is answered, and this one is not.
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(await outcome(call.result)).toBe("waits");
    expect(received).toBe(0);
    held.resolve();
    expect(await call.result).toBe("flooded");
    expect(received).toBe(64 * 1024 * 1024);
  });

  it("gives a caller all output before the result, however late it takes it", async () => {
    const held = Promise.withResolvers<void>();
    const call = client.call("upper", {}, { onBytes: () => held.promise });
    await call.write(Buffer.from("one"), 1);
    await call.endInput();
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(await outcome(call.result)).toBe("waits");
    held.resolve();
    expect(await call.result).toEqual({ bytes: 3 });
  });

  it("gives events one by one, however their bytes are cut and joined", async () => {
    const held = Promise.withResolvers<void>();
    const seen: number[] = [];
    const call = client.call(
      "tellMuch",
      {},
      {
        onBytes: () => held.promise,
        onEvent: ({ words }) => void seen.push(String(words).length),
      },
    );
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(seen).toEqual([]);
    held.resolve();
    await call.result;
    expect(seen).toEqual(eventLengths);
  });

  it("fails a call whose output its caller cannot take, and cancels it", async () => {
    const call = client.call("flood", {}, { onBytes: () => Promise.reject(new Error("full")) });
    await expect(call.result).rejects.toEqual(new Error("full"));
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(bugs).toEqual([]);
  });

  it("takes input on demand when the method asks for it, and not before", async () => {
    const idle = client.call("ignoreInput", {}, { isInputOnDemand: true });
    const waits = idle.awaitsInput();
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(await outcome(waits)).toBe("waits");
    idle.cancel();
    expect(await waits).toBe(false);
    const call = client.call("readOnce", {}, { isInputOnDemand: true });
    expect(await call.awaitsInput()).toBe(true);
    await call.write(Buffer.from("line"), 1);
    expect(await call.result).toEqual({ isInputOnDemand: true, read: "line" });
    expect(await call.awaitsInput()).toBe(false);
  });

  it("tells a caller of an operator's problem, of a bug only that there is one", async () => {
    await expect(client.call("missing").result).rejects.toMatchObject({
      name: "ControlError",
      code: "VM_NOT_FOUND",
      message: 'There is no VM named "x". agentos-mcp vms lists them.',
    });
    await expect(client.call("bug").result).rejects.toMatchObject({
      code: "INTERNAL",
      message: "The server failed; its log says why.",
    });
    expect(bugs).toEqual([new TypeError("secret")]);
    await expect(client.call("nothing").result).rejects.toMatchObject({
      code: "METHOD_NOT_FOUND",
      message: 'The server has no method "nothing".',
    });
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
  });

  it("makes a caller wait for a method that takes no input, until the call is over", async () => {
    const call = client.call("ignoreInput");
    let sent = 0;
    const sending = (async () => {
      for (; sent < 100; sent++) await call.write(new Uint8Array(100_000), 1);
    })();
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    // A window holds five, and a part of the sixth.
    expect(sent).toBe(5);
    call.cancel();
    await expect(call.result).rejects.toMatchObject({ code: "CANCELLED" });
    await sending;
  });

  it("aborts the signal of a call that is cancelled", async () => {
    const call = client.call("ignoreInput");
    const other = client.call("add", { one: 1, other: 1 });
    call.cancel();
    await expect(call.result).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await other.result).toBe(2);
  });

  it("aborts the calls of a caller that leaves", async () => {
    const call = client.call("ignoreInput");
    const lost = expect(call.result).rejects.toMatchObject({ code: "SERVER_LOST" });
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    near.destroy();
    await lost;
    await connection.closed;
  });

  it("tells a method that the input of a caller that has left is not all", async () => {
    const whole = client.call("readAll");
    await whole.write(new Uint8Array(5), 1);
    await whole.endInput();
    await whole.result;
    const broken = client.call("readAll");
    await broken.write(new Uint8Array(3), 1);
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    near.destroy();
    await connection.closed;
    await expect(broken.result).rejects.toMatchObject({ code: "SERVER_LOST" });
    expect(inputs).toEqual([
      { bytes: 5, isAll: true },
      { bytes: 3, isAll: false },
    ]);
  });

  it("reports a server that goes away to every call", async () => {
    const calls = [client.call("ignoreInput"), client.call("ignoreInput")];
    const outcomes = calls.map(({ result }) =>
      expect(result).rejects.toMatchObject({ code: "SERVER_LOST" }),
    );
    far.destroy();
    await Promise.all(outcomes);
    await expect(client.call("add").result).rejects.toMatchObject({ code: "SERVER_LOST" });
  });

  it("tells the caller of a result that does not fit a frame", async () => {
    await expect(client.call("tooLong").result).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it.each([
    [
      { type: "call", call: 1, method: "add" },
      'A message of the type "call" has a wrong "params".',
    ],
    [{ type: "nonsense", call: 1 }, 'There is no message of the type "nonsense".'],
    [{ type: "toString" }, 'There is no message of the type "toString".'],
    [{ type: "cancel", call: "x" }, 'A message of the type "cancel" has a wrong "call".'],
    [
      { type: "credit", stream: 1, bytes: -1 },
      'A message of the type "credit" has a wrong "bytes".',
    ],
  ])("closes on the message %j and says what is wrong with it", async (header, words) => {
    near.write(encodeFrame(header));
    await connection.closed;
    expect(bugs).toEqual([new MalformedMessage(words)]);
  });

  it("says what is wrong with a message of the server", async () => {
    const call = client.call("ignoreInput");
    far.write(encodeFrame({ type: "result" }));
    await expect(call.result).rejects.toMatchObject({
      code: "SERVER_LOST",
      message:
        'The agentos-mcp server was not understood: A message of the type "result" has a wrong "call".',
    });
  });

  it("understands the answer of a server whose build knows no streams", async () => {
    const call = client.call("ignoreInput");
    far.write(encodeFrame({ type: "result", call: 1, result: "stopped" }));
    expect(await call.result).toBe("stopped");
  });
});
