import { describe, expect, it } from "vitest";
import { KernelError } from "../../../../src/kernel/index.ts";
import { type Call, CallChannel } from "../../../../src/vm/executors/isolate/call-channel.ts";
import { CONTROL_BYTES, turn, WINDOW_BYTES, word } from "../../../../src/vm/node/wire/layout.ts";
import {
  type Packed,
  Packer,
  type TextCodec,
  Unpacker,
} from "../../../../src/vm/node/wire/pack.ts";

const codec: TextCodec = {
  write: (into, text, at) => Buffer.from(into.buffer, into.byteOffset, into.length).write(text, at),
  read: (from, start, end) => Buffer.from(from.subarray(start, end)).toString(),
};

/** The guest's side, without its thread: it looks whether it has the turn. */
class Guest {
  readonly channel: CallChannel;
  readonly words: Int32Array;
  readonly window: Uint8Array;

  constructor(answer: (call: Call) => Packed | Promise<Packed>) {
    this.channel = new CallChannel(answer, { current: () => -1, yield: () => undefined });
    this.words = new Int32Array(this.channel.shared, 0, CONTROL_BYTES / 4);
    this.window = new Uint8Array(this.channel.shared, CONTROL_BYTES, WINDOW_BYTES);
  }

  /** Makes a call and waits for the answer: whether it failed, and what it is. */
  async call(...message: Packed[]): Promise<[boolean, Packed]> {
    const packer = new Packer(new Uint8Array(64), codec, 1 << 26);
    for (const one of message) packer.write(one);
    const bytes = packer.finish();
    const serving: Promise<void>[] = [];
    for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
      const part = bytes.subarray(at, at + WINDOW_BYTES);
      this.window.set(part);
      serving.push(this.hand(part.length, at + part.length < bytes.length));
      await this.#turn();
    }
    const parts: Uint8Array[] = [];
    for (;;) {
      parts.push(this.window.slice(0, this.words[word.length]));
      if (this.words[word.more] !== 1) break;
      serving.push(this.hand(0, false));
      await this.#turn();
    }
    await Promise.all(serving);
    return [this.words[word.failed] !== 0, new Unpacker(Buffer.concat(parts), codec).read()];
  }

  hand(length: number, hasMore: boolean): Promise<void> {
    this.words[word.length] = length;
    this.words[word.more] = hasMore ? 1 : 0;
    Atomics.store(this.words, word.turn, turn.kernel);
    return this.channel.serve();
  }

  async #turn(): Promise<void> {
    while (Atomics.load(this.words, word.turn) !== turn.guest) await new Promise(setImmediate);
  }
}

describe("CallChannel", () => {
  it("hands on a call and its answer", async () => {
    const calls: Call[] = [];
    const guest = new Guest((call) => {
      calls.push(call);
      return { sum: 3 };
    });
    expect(await guest.call("add", 1, "two")).toEqual([false, { sum: 3 }]);
    expect(calls).toEqual([{ name: "add", args: [1, "two"], request: 0 }]);
  });

  it("carries messages larger than the window, both ways", async () => {
    const large = new Uint8Array(3 * WINDOW_BYTES + 5).fill(7);
    const guest = new Guest(({ args }) => args[0]);
    const [hasFailed, echoed] = await guest.call("echo", large);
    expect(hasFailed).toBe(false);
    expect(Buffer.from(echoed as Uint8Array).equals(large)).toBe(true);
  });

  it("answers with the errno of what fails, its subject, and the rule that was met", async () => {
    const guest = new Guest(() => {
      throw new KernelError("EACCES", "/x", "permissions.fs");
    });
    expect(await guest.call("open")).toEqual([true, ["EACCES", "/x", "permissions.fs"]]);
    const other = new Guest(() => {
      throw new KernelError("ENOENT", "/x");
    });
    expect(await other.call("open")).toEqual([true, ["ENOENT", "/x", undefined]]);
  });

  it("answers EINVAL to what is no call", async () => {
    const guest = new Guest(() => 1);
    expect(await guest.call(5)).toEqual([true, ["EINVAL", undefined]]);
    guest.window.fill(255);
    for (const length of [9, -1, 2 ** 31 - 1, 0]) {
      await guest.hand(length, false);
      expect([guest.words[word.turn], guest.words[word.failed]]).toEqual([turn.guest, 1]);
    }
  });

  it("takes no message that goes on without end", async () => {
    const guest = new Guest(() => 1);
    for (const length of [0, 1, WINDOW_BYTES - 1]) {
      await guest.hand(length, true);
      expect([guest.words[word.turn], guest.words[word.failed]]).toEqual([turn.guest, 1]);
    }
  });

  it("does not serve a guest that rings without a call, or after its end", async () => {
    let count = 0;
    const guest = new Guest(() => {
      count += 1;
      return undefined;
    });
    await guest.channel.serve();
    expect(count).toBe(0);
    guest.channel.close();
    await guest.hand(0, false);
    expect(count).toBe(0);
  });

  it("reports what is neither an answer nor an errno to its owner", async () => {
    const guest = new Guest(() => {
      throw new TypeError("a bug");
    });
    new Packer(guest.window, codec, WINDOW_BYTES).write("x");
    await expect(guest.hand(6, false)).rejects.toThrow("a bug");
  });
});
