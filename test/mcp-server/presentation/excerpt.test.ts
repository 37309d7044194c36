import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excerpt } from "../../../src/mcp-server/presentation/excerpt.ts";
import { OutputLog } from "../../../src/vm/index.ts";
import { LogSpace } from "../../../src/vm/log-space.ts";

let directory: string;
let log: OutputLog;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentos-mcp-excerpt-"));
  log = new OutputLog(join(directory, "log"), new LogSpace(1 << 30));
});
afterEach(async () => {
  await log.close();
  rmSync(directory, { recursive: true });
});

const note = (bytes: number): string => `[${bytes} bytes]`;
const whole = (): { start: number; end: number } => ({ start: 0, end: log.totalBytes });
const append = async (text: string): Promise<void> => log.append(Buffer.from(text));

describe("an excerpt of a log", () => {
  it("is all of it when it fits", async () => {
    await append("one\ntwo\n");
    expect(await excerpt(log, whole(), 8, note)).toEqual({
      text: "one\ntwo\n",
      omittedBytes: 0,
      isBinary: false,
    });
  });

  it("is its first and last lines when it does not", async () => {
    await append("line 1\nline 2\nline 3\nline 4\nline 5\nline 6\n");
    expect(await excerpt(log, whole(), 30, note)).toEqual({
      text: "line 1\nline 2\n[14 bytes]\nline 5\nline 6\n",
      omittedBytes: 14,
      isBinary: false,
    });
  });

  it("cuts between characters where there are no lines", async () => {
    await append("ü".repeat(100));
    const { text, omittedBytes, isBinary } = await excerpt(log, whole(), 42, note);
    expect(text).toBe(`${"ü".repeat(10)}\n[160 bytes]\n${"ü".repeat(10)}`);
    expect([omittedBytes, isBinary]).toEqual([160, false]);
  });

  it("begins where it is told to", async () => {
    await append("seen\nnew\n");
    expect(await excerpt(log, { start: 5, end: 9 }, 100, note)).toMatchObject({ text: "new\n" });
  });

  it("takes both ends from a log that lies in a file", async () => {
    for (let line = 0; line < 8000; line++) await append(`${line}\n`.padStart(10, "0"));
    const { text, omittedBytes } = await excerpt(log, whole(), 100, note);
    const head = "000000000\n000000001\n000000002\n000000003\n000000004\n";
    const tail = "000007996\n000007997\n000007998\n000007999\n";
    expect(text).toBe(`${head}[79910 bytes]\n${tail}`);
    expect(omittedBytes).toBe(79_910);
  });

  it("says what is lost of a span that the log does not have any more", async () => {
    // A directory where the file should be: nothing but the ends in memory is kept.
    await log.close();
    log = new OutputLog(directory, new LogSpace(1 << 30));
    await append("a".repeat(70_000));
    await append("b".repeat(70_000));
    const { text, omittedBytes } = await excerpt(log, { start: 70_000, end: 140_000 }, 1e6, note);
    expect(omittedBytes).toBe(70_000 - 65_536);
    expect(text).toBe(`[4464 bytes]\n${"b".repeat(65_536)}`);
    log = new OutputLog(join(directory, "log"), new LogSpace(1 << 30));
  });

  it("has both ends of a log that was given up, and says what is lost between them", async () => {
    await append("a".repeat(100_000));
    await append("b".repeat(100_000));
    await log.close();
    const { text, omittedBytes } = await excerpt(log, whole(), 1e6, note);
    expect(omittedBytes).toBe(200_000 - 2 * 65_536);
    expect(text).toBe(`${"a".repeat(65_536)}\n[68928 bytes]\n${"b".repeat(65_536)}`);
  });
});
