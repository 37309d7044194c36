import { once } from "node:events";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StdioShim } from "../../../src/mcp-server/shim/stdio-shim.ts";
import { socketPair } from "../support/socket-pair.ts";

let near: Socket;
let far: Socket;
beforeEach(async () => {
  [near, far] = await socketPair();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  near.destroy();
  far.destroy();
});

interface Client {
  readonly done: Promise<number>;
  readonly output: PassThrough;
  isGone: boolean;
}

/** A client that has asked, and ended its input. */
async function ask(): Promise<Client> {
  const input = new PassThrough();
  const output = new PassThrough();
  const shim = new StdioShim({
    input,
    output,
    connect: () => Promise.resolve(near),
    isClientGone: () => client.isGone,
    say: () => undefined,
  });
  const client = { done: shim.run(), output, isGone: false };
  const asked = once(far, "data");
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await asked;
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  return client;
}

it("waits for an answer for minutes after the end of the input", async () => {
  const { done, output } = await ask();
  vi.advanceTimersByTime(590_000);
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
  far.write(answer);
  expect(await done).toBe(0);
  output.end();
  expect((await output.toArray()).join("")).toBe(answer);
});

it("waits no longer than ten minutes", async () => {
  const { done } = await ask();
  vi.advanceTimersByTime(601_000);
  expect(await done).toBe(0);
});

it("does not wait for an answer that nobody reads", async () => {
  const client = await ask();
  client.isGone = true;
  vi.advanceTimersByTime(500);
  expect(await client.done).toBe(0);
});
