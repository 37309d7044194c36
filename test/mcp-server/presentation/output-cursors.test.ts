import { describe, expect, it } from "vitest";
import { OutputCursors } from "../../../src/mcp-server/presentation/output-cursors.ts";
import { OutputLog } from "../../../src/vm/index.ts";
import { LogSpace } from "../../../src/vm/log-space.ts";

/** Short enough to stay in memory. */
async function logOf(text: string): Promise<OutputLog> {
  const log = new OutputLog("/nowhere", new LogSpace(0));
  await log.append(Buffer.from(text));
  return log;
}

describe("the cursors of a connection", () => {
  it("take each byte of a log once, from its start on", async () => {
    const [one, other] = [await logOf("abc"), await logOf("xy")];
    const cursors = new OutputCursors();
    expect(cursors.takeNew(one, true)).toEqual({ start: 0, end: 3 });
    await one.append(Buffer.from("de"));
    expect(cursors.takeNew(one, true)).toEqual({ start: 3, end: 5 });
    expect(cursors.takeNew(one, false)).toEqual({ start: 5, end: 5 });
    expect(cursors.takeNew(other, true)).toEqual({ start: 0, end: 2 });
  });

  it("are not moved by those of another connection", async () => {
    const log = await logOf("abc");
    new OutputCursors().takeNew(log, true);
    expect(new OutputCursors().takeNew(log, true)).toEqual({ start: 0, end: 3 });
  });

  it("hold the beginning of a character back while the command runs", async () => {
    const log = await logOf("gr\u00fc");
    const cut = new OutputLog("/nowhere", new LogSpace(0));
    await cut.append(Buffer.from("gr\u00fc").subarray(0, 3));
    const cursors = new OutputCursors();
    expect(cursors.takeNew(log, true)).toEqual({ start: 0, end: 4 });
    expect(cursors.takeNew(cut, true)).toEqual({ start: 0, end: 2 });
    expect(cursors.takeNew(cut, false)).toEqual({ start: 2, end: 3 });
  });
});
