import { describe, expect, it } from "vitest";
import { bytesToFeed, runChild } from "../../../bench/peers/run-child.ts";

const file = process.execPath;
const MEGABYTE = 1024 ** 2;

describe("runChild", () => {
  it("feeds a program, counts what it writes and keeps the first of it", async () => {
    const bytes = 3 * MEGABYTE + 5;
    const args = ["-e", "process.stdin.pipe(process.stdout)"];
    const result = await runChild({ file, args, input: bytesToFeed(bytes) });
    expect({ ...result, stdout: result.stdout.slice(0, 3) }).toEqual({
      exitCode: 0,
      bytes,
      stdout: "aaa",
    });
    expect(result.stdout.length).toBeGreaterThanOrEqual(MEGABYTE);
  });

  it("gives end of file where there is no input", async () => {
    const args = ["-e", "process.stdin.on('end', () => console.log('end')).resume()"];
    expect(await runChild({ file, args })).toEqual({ exitCode: 0, bytes: 4, stdout: "end\n" });
  });

  it("fails with what a failed program said, and answers the status of one that said nothing", async () => {
    const args = ["-e", "process.exit(7)"];
    expect(await runChild({ file, args })).toEqual({ exitCode: 7, bytes: 0, stdout: "" });
    const loud = ["-e", "console.error('no disk'); process.exitCode = 1"];
    await expect(runChild({ file, args: loud })).rejects.toThrow("no disk");
  });
});

describe("bytesToFeed", () => {
  it("gives exactly that many bytes", () => {
    const sizes = [...bytesToFeed(2 * MEGABYTE + 1)].map(({ length }) => length);
    expect(sizes).toEqual([MEGABYTE, MEGABYTE, 1]);
    expect([...bytesToFeed(0)]).toEqual([]);
  });
});
