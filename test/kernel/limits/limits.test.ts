import { describe, expect, it } from "vitest";
import {
  type LimitName,
  Limits,
  type LimitWarning,
  limitNames,
  limitTable,
  resolveLimits,
} from "../../../src/kernel/limits/limits.ts";

function makeLimits(values: Parameters<typeof resolveLimits>[0]) {
  const warnings: LimitWarning[] = [];
  return { limits: new Limits(values, (warning) => warnings.push(warning)), warnings };
}

const message = (text: string) => expect.objectContaining({ message: text });

describe("limits", () => {
  it("are all bounded by default", () => {
    expect(limitNames).toEqual(Object.keys(limitTable));
    for (const name of limitNames) {
      expect(Number.isSafeInteger(limitTable[name].value)).toBe(true);
      expect(limitTable[name].value).toBeGreaterThan(0);
    }
  });

  it("refuse a name or a value that cannot be", () => {
    expect(() => resolveLimits({ maxThings: 1 } as object)).toThrow(
      message("EINVAL: maxThings: Invalid argument (there is no such limit)"),
    );
    for (const value of [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "5" as unknown as number,
    ]) {
      expect(() => resolveLimits({ maxPipes: value })).toThrow(
        message("EINVAL: maxPipes: Invalid argument (a limit is a whole number from 1 up)"),
      );
    }
    expect(resolveLimits({ maxPipes: 3 }).maxPipes).toBe(3);
    expect(() => resolveLimits({ constructor: 5 } as object)).toThrow("there is no such limit");
  });

  it("count what is charged, or nothing and fail with their errno, their name and the way out", () => {
    const { limits } = makeLimits({ maxPipes: 3 });
    limits.charge("maxPipes");
    limits.charge("maxPipes", 2);
    expect(() => limits.charge("maxPipes")).toThrow(
      message(
        "ENFILE: Too many open files in system (limit maxPipes is 3; raise limits.maxPipes of the VM)",
      ),
    );
    expect(limits.used("maxPipes")).toBe(3);
    limits.discharge("maxPipes", 2);
    limits.charge("maxPipes");
    expect(limits.used("maxPipes")).toBe(2);
  });

  it("fail a single value that is over", () => {
    const { limits, warnings } = makeLimits({ maxPreadBytes: 10 });
    limits.check("maxPreadBytes", 10);
    expect(() => limits.check("maxPreadBytes", 11)).toThrow("limit maxPreadBytes is 10");
    expect(warnings).toEqual([]);
  });

  it("warn once at 80 %, and again after they were below it", () => {
    const { limits, warnings } = makeLimits({ maxPipes: 10 });
    for (let i = 0; i < 7; i++) limits.charge("maxPipes");
    expect(warnings).toEqual([]);
    limits.charge("maxPipes");
    limits.charge("maxPipes");
    const warning = { limit: "maxPipes", observed: 8, capacity: 10, fillPercent: 80 };
    expect(warnings).toEqual([warning]);
    limits.discharge("maxPipes");
    limits.charge("maxPipes");
    expect(warnings).toEqual([warning]);
    limits.discharge("maxPipes", 2);
    limits.charge("maxPipes");
    expect(warnings).toEqual([warning, warning]);
  });

  it("warn of what is counted elsewhere when it is told", () => {
    const { limits, warnings } = makeLimits({ maxOpenFds: 4 });
    limits.observe("maxOpenFds", 3);
    limits.observe("maxOpenFds", 4);
    limits.observe("maxOpenFds", 4);
    expect(warnings).toEqual([{ limit: "maxOpenFds", observed: 4, capacity: 4, fillPercent: 100 }]);
  });

  it("each fail with the errno of the table", () => {
    const { limits } = makeLimits({});
    for (const name of limitNames) {
      const { errno } = limitTable[name];
      if (errno === undefined) continue;
      expect(() => limits.check(name, limitTable[name].value + 1)).toThrow(
        expect.objectContaining({ errno, reason: reasonOf(name) }),
      );
    }
  });
});

function reasonOf(name: LimitName): string {
  return `limit ${name} is ${limitTable[name].value}; raise limits.${name} of the VM`;
}
