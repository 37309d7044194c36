import { describe, expect, it } from "vitest";
import { TailLog } from "../../../src/sandbox-escalation/controller/tail-log.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("TailLog", () => {
  it("keeps the newest bytes, to the byte, in the order they came", () => {
    const log = new TailLog(10);
    log.add("stdout", Buffer.from("abcdef"));
    log.add("stderr", Buffer.from("gh"));
    expect([text(log.bytes()), log.isCut]).toEqual(["abcdefgh", false]);
    log.add("stdout", Buffer.from("ijkl"));
    expect([text(log.bytes()), log.isCut, log.total]).toEqual(["cdefghijkl", true, 12]);
    expect(text(log.bytes("stderr"))).toBe("gh");
    expect(text(log.since(9))).toBe("jkl");
    log.add("stdout", Buffer.from("0123456789abcde"));
    expect(text(log.bytes())).toBe("56789abcde");
  });

  it("takes output that comes byte by byte as fast as any other", () => {
    const log = new TailLog(1024 * 1024);
    // With an array of a million chunks each after the first million took milliseconds: a quarter of an hour.
    for (let i = 0; i < 1_200_000; i++) log.add("stdout", Buffer.of(97 + (i % 26)));
    expect([log.bytes().length, log.total]).toEqual([1024 * 1024, 1_200_000]);
    expect(log.bytes().at(-1)).toBe(97 + (1_199_999 % 26));
  });

  it("holds little of a process that changes streams with every byte", () => {
    const log = new TailLog(1024 * 1024);
    for (let i = 0; i < 100_000; i++) log.add(i % 2 === 0 ? "stdout" : "stderr", Buffer.from("x"));
    expect([log.bytes().length, log.isCut]).toEqual([4096, true]);
  });

  it("does not hold what its bytes were a part of", () => {
    const log = new TailLog(1024);
    const large = Buffer.alloc(65_536, "a");
    log.add("stdout", large.subarray(0, 4));
    large.fill("b");
    expect(text(log.bytes())).toBe("aaaa");
  });
});
