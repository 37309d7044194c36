import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type UseLimits,
  UseMeter,
} from "../../../src/sandbox-escalation/limits-of-use/use-meter.ts";
import { NO_LIMITS } from "../../support/escalation.ts";

let directory = "";
let nowMs = 0;
let lines: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "use-"));
  nowMs = Date.parse("2026-01-01T12:00:00Z");
  lines = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const file = (): string => join(directory, "use.json");

function meter(limits: Partial<UseLimits> = {}): UseMeter {
  return new UseMeter({
    of: "the server today",
    limits: { ...NO_LIMITS, ...limits },
    now: () => nowMs,
    file: file(),
    log: (line) => lines.push(line),
  });
}

describe("a meter", () => {
  it("counts what runs until it ends, and what that costs", () => {
    const counted = meter();
    const [one, two] = [counted.begin(6), counted.begin(0)];
    nowMs += 600_000;
    counted.end(one);
    counted.end(one);
    nowMs += 600_000;
    expect(counted.use).toEqual({ starts: 2, runMs: 1_800_000, costUsd: 1 });
    counted.end(two);
    nowMs += 600_000;
    expect(counted.use.runMs).toBe(1_800_000);
  });

  it("counts the time of a start that fails, and not the start", () => {
    const counted = meter({ starts: 1 });
    const failed = counted.begin(6);
    nowMs += 600_000;
    counted.callOff(failed);
    counted.callOff(failed);
    expect(counted.use).toEqual({ starts: 0, runMs: 600_000, costUsd: 1 });
    expect(counted.findRefusal()).toBeUndefined();
    expect(meter().use).toEqual({ starts: 0, runMs: 600_000, costUsd: 1 });
    const late = counted.begin(0);
    nowMs += 86_400_000;
    counted.callOff(late);
    expect(counted.use.starts).toBe(0);
  });

  it("goes on where the server before it was killed, and anew the next day", () => {
    const before = meter();
    before.begin(0);
    nowMs += 60_000;
    before.save();
    expect(meter({ starts: 1 }).findRefusal()).toBe(
      "sandboxes of the server today were started 1 times, the limit",
    );
    expect(meter().use).toEqual({ starts: 1, runMs: 60_000, costUsd: 0 });
    nowMs += 86_400_000;
    expect(meter({ starts: 1 }).findRefusal()).toBeUndefined();
  });

  it.each(["", "{", "[]", '{"day":"2026-01-01","starts":"many"}', '{"day":1}'])(
    "starts at nothing where what was kept is %j",
    (text) => {
      writeFileSync(file(), text);
      expect(meter().use).toEqual({ starts: 0, runMs: 0, costUsd: 0 });
    },
  );

  it("goes on, and says so, where nothing can be kept", () => {
    const counted = new UseMeter({
      of: "x",
      limits: NO_LIMITS,
      now: () => nowMs,
      file: join(directory, "no", "use.json"),
      log: (line) => lines.push(line),
    });
    counted.begin(0);
    expect(counted.use.starts).toBe(1);
    expect(lines).toEqual([expect.stringContaining("the use of sandboxes cannot be kept")]);
  });

  it("keeps whole numbers of a day in a file of this user alone", () => {
    meter().begin(0);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      day: "2026-01-01",
      starts: 1,
      runMs: 0,
      costUsd: 0,
    });
  });
});
