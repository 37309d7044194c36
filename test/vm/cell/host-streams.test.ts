import { describe, expect, it } from "vitest";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { HostInput } from "../../../src/vm/cell/host-input.ts";
import { HostOutput } from "../../../src/vm/cell/host-output.ts";
import { STREAM_WINDOW_BYTES } from "../../../src/vm/wire/messages.ts";
import { describeStreamContract, type StreamUnderTest } from "../../contract/stream-contract.ts";
import { outcome, TestWaiter } from "../../support/waiter.ts";

/** A command's output that is another's input, as if the server passed it on at once. */
function makePair(): StreamUnderTest {
  const readEnd = new HostInput({ ino: 1, nowMs: 0, credit: (bytes) => writeEnd.addCredit(bytes) });
  const writeEnd: HostOutput = new HostOutput({
    ino: 2,
    nowMs: 0,
    send: (bytes) => readEnd.push(bytes),
    later: (flush) => flush(),
    released: () => readEnd.end(),
  });
  readEnd.retain();
  writeEnd.retain();
  return {
    readEnd,
    writeEnd,
    afterWriterLeft: 0,
    whenWriterLeaves: 0,
    keepsBytesOfGoneWriter: true,
    afterReaderLeft: "taken",
  };
}

describeStreamContract("output and input of a command", makePair);

describe("HostInput", () => {
  const make = (): HostInput => {
    const input = new HostInput({ ino: 1, nowMs: 0, credit: () => undefined });
    input.retain();
    return input;
  };

  it("is demanded once a reader has found nothing left", async () => {
    const input = make();
    const waiter = new TestWaiter();
    const first = input.demand();
    expect(await outcome(first)).toBe("waits");
    input.push(Uint8Array.of(1, 2));
    await input.read(new Uint8Array(2), waiter);
    expect(await outcome(first)).toBe("waits");
    const reading = input.read(new Uint8Array(1), waiter);
    await first;
    input.push(Uint8Array.of(3));
    expect(await outcome(input.demand())).toBe("waits");
    expect(await reading).toBe(1);
  });

  it("is demanded by a reader that does not wait, and by one that polls", async () => {
    const [input, polled] = [make(), make()];
    input.flags |= O_NONBLOCK;
    const reading = input.read(new Uint8Array(1), new TestWaiter());
    await expect(reading).rejects.toMatchObject({ errno: "EAGAIN" });
    await input.demand();
    expect(polled.poll()).toBe(0);
    await polled.demand();
  });

  it("is not waited for when it has ended or nobody can read it", async () => {
    const [ended, released] = [make(), make()];
    const demands = [ended.demand(), released.demand()];
    ended.end();
    released.drop();
    await Promise.all(demands);
  });
});

describe("HostOutput", () => {
  it("gathers small writes until it is flushed, and sends them as one", async () => {
    const sent: string[] = [];
    const flushes: (() => void)[] = [];
    const output = new HostOutput({
      ino: 1,
      nowMs: 0,
      send: (bytes) => sent.push(new TextDecoder().decode(bytes)),
      later: (flush) => flushes.push(flush),
      released: () => undefined,
    });
    for (const word of ["a", "b", "c"]) {
      await output.write(new TextEncoder().encode(word), new TestWaiter());
    }
    expect([sent, flushes.length]).toEqual([[], 1]);
    flushes[0]?.();
    expect(sent).toEqual(["abc"]);
  });

  it("keeps what was written when the writer uses its buffer again", async () => {
    const sent: Uint8Array[] = [];
    const output = new HostOutput({
      ino: 1,
      nowMs: 0,
      send: (bytes) => sent.push(bytes),
      later: () => undefined,
      released: () => undefined,
    });
    const buffer = Uint8Array.of(1, 2, 3);
    await output.write(buffer, new TestWaiter());
    buffer.fill(9);
    output.flush();
    expect(sent).toEqual([Uint8Array.of(1, 2, 3)]);
  });

  it("has no more under way than its window", async () => {
    let sentBytes = 0;
    const output = new HostOutput({
      ino: 1,
      nowMs: 0,
      send: (bytes) => {
        sentBytes += bytes.length;
      },
      later: (flush) => flush(),
      released: () => undefined,
    });
    const writing = output.write(new Uint8Array(3 * STREAM_WINDOW_BYTES), new TestWaiter());
    expect(await outcome(writing)).toBe("waits");
    expect(sentBytes).toBe(STREAM_WINDOW_BYTES);
    output.addCredit(STREAM_WINDOW_BYTES);
    expect(await outcome(writing)).toBe("waits");
    expect(sentBytes).toBe(2 * STREAM_WINDOW_BYTES);
    output.addCredit(STREAM_WINDOW_BYTES);
    expect(await writing).toBe(3 * STREAM_WINDOW_BYTES);
  });
});
