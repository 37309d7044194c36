import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlClient } from "../../../src/mcp-server/control/control-client.ts";
import { ControlConnection } from "../../../src/mcp-server/control/control-connection.ts";
import type { ControlCall, ControlMethod } from "../../../src/mcp-server/control/methods.ts";
import { HostError } from "../../../src/vm/host-error.ts";
import { encodeFrame } from "../../../src/vm/wire/frame.ts";
import { socketPair } from "../support/socket-pair.ts";

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

/** What each test needs of a method, and no more. */
const methods = new Map<string, ControlMethod>([
  ["add", async ({ one, other }) => Number(one) + Number(other)],
  [
    "upper",
    async (_params, { input, send }) => {
      let count = 0;
      for await (const { event, body } of input) {
        count += 1;
        await send({ echo: event["n"] }, Buffer.from(Buffer.from(body).toString().toUpperCase()));
      }
      return { count };
    },
  ],
  [
    "flood",
    async (_params, { send }) => {
      for (let n = 0; n < 64; n++) await send({ n }, new Uint8Array(1024 * 1024));
      return "flooded";
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
beforeEach(async () => {
  [near, far] = await socketPair();
  bugs = [];
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

  it("carries input and output of a call both ways, with bodies, to its end", async () => {
    const got: unknown[] = [];
    const call = client.call(
      "upper",
      {},
      (event, body) => void got.push([event, Buffer.from(body).toString()]),
    );
    await call.send({ n: 1 }, Buffer.from("one"));
    await call.send({ n: 2 }, Buffer.from("two"));
    await call.endInput();
    expect(await call.result).toEqual({ count: 2 });
    expect(got).toEqual([
      [{ echo: 1 }, "ONE"],
      [{ echo: 2 }, "TWO"],
    ]);
  });

  it("makes a method wait for a caller that is slow to take its output", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let received = 0;
    const call = client.call("flood", {}, async (_event, body) => {
      await held;
      received += body.length;
    });
    const first = await Promise.race([
      call.result,
      new Promise((resolve) => setTimeout(resolve, 200, "waits")),
    ]);
    expect(first).toBe("waits");
    release();
    expect(await call.result).toBe("flooded");
    expect(received).toBe(64 * 1024 * 1024);
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
      for (; sent < 100; sent++) await call.send({}, new Uint8Array(100_000));
    })();
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    expect(sent).toBe(3);
    await call.cancel();
    await expect(call.result).rejects.toMatchObject({ code: "CANCELLED" });
    await sending;
  });

  it("aborts the signal of a call that is cancelled", async () => {
    const call = client.call("ignoreInput");
    const other = client.call("add", { one: 1, other: 1 });
    await call.cancel();
    await expect(call.result).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await other.result).toBe(2);
  });

  it("aborts the calls of a caller that leaves", async () => {
    const call = client.call("ignoreInput");
    const outcome = expect(call.result).rejects.toMatchObject({ code: "SERVER_LOST" });
    expect(await client.call("add", { one: 1, other: 1 }).result).toBe(2);
    near.destroy();
    await outcome;
    await connection.closed;
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

  it.each([{ type: "call", call: 1, method: "add" }, { type: "nonsense", call: 1 }, { call: "x" }])(
    "closes on the message %j, which is none",
    async (header) => {
      near.write(encodeFrame(header));
      await connection.closed;
    },
  );
});
