import type { ServerContext } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startProgress } from "../../src/mcp-server/progress.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function request(progressToken?: string, signal = new AbortController().signal) {
  const sent: unknown[] = [];
  const notify = async ({ params }: { params: { progress: number; message: string } }) => {
    sent.push([params.progress, params.message]);
  };
  const fake = { _meta: { progressToken }, signal, notify };
  // What a call tells its client uses nothing else of the request.
  return { sent, mcpReq: fake as unknown as ServerContext["mcpReq"] };
}

const fail = (error: Error): void => {
  throw error;
};

it("tells at least every ten seconds, though nothing happens, until the end", () => {
  const { sent, mcpReq } = request("a");
  const progress = startProgress(mcpReq, fail);
  vi.advanceTimersByTime(31_000);
  expect(sent).toEqual([
    [1, "running for 3 s"],
    [2, "running for 8 s"],
    [3, "running for 13 s"],
    [4, "running for 18 s"],
    [5, "running for 23 s"],
    [6, "running for 28 s"],
  ]);
  progress.end();
  vi.advanceTimersByTime(31_000);
  expect(sent).toHaveLength(6);
});

it("tells what happens, five times a second at most, and then counts the silence from there", () => {
  const { sent, mcpReq } = request("a");
  const progress = startProgress(mcpReq, fail);
  progress.tell("one");
  progress.tell("left out");
  vi.advanceTimersByTime(200);
  progress.tell("two");
  vi.advanceTimersByTime(4900);
  expect(sent).toEqual([
    [1, "one"],
    [2, "two"],
  ]);
  vi.advanceTimersByTime(2500);
  expect(sent.at(-1)).toEqual([3, "running for 8 s"]);
  progress.end();
});

it("tells nothing to a client that did not ask, or has cancelled", () => {
  const abort = new AbortController();
  const [silent, cancelled] = [request(), request("a", abort.signal)];
  abort.abort();
  const both = [silent, cancelled].map(({ mcpReq }) => startProgress(mcpReq, fail));
  for (const progress of both) progress.tell("one");
  vi.advanceTimersByTime(60_000);
  expect([silent.sent, cancelled.sent]).toEqual([[], []]);
  for (const progress of both) progress.end();
});
