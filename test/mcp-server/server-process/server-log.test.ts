import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ServerLog } from "../../../src/mcp-server/server-process/server-log.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentos-mcp-log-"));
  file = join(directory, "server.log");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("ServerLog", () => {
  /** The events of the log, without their times. */
  const events = (): unknown[] =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { time, ...event } = JSON.parse(line) as { time: string };
        expect(new Date(time).toISOString()).toBe(time);
        return event;
      });

  it("writes one line for each event: time, pid, level, message and facts; errors with their causes", () => {
    const log = new ServerLog(file);
    const { pid } = process;
    log.info("hello", { build: "b" });
    log.warn("two\nlines");
    log.error("it broke", new Error("outer", { cause: new Error("inner") }));
    expect(events()).toEqual([
      { pid, level: "info", message: "hello", build: "b" },
      { pid, level: "warn", message: "two\nlines" },
      {
        pid,
        level: "error",
        message: "it broke",
        error: expect.stringMatching(/^Error: outer\n[^]*\ncaused by Error: inner\n/),
      },
    ]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  it.each([
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ] as const)("leaves out what is less grave than %s", (level, written) => {
    const log = new ServerLog(file, { level });
    for (const one of ["error", "warn", "info", "debug"] as const) log[one](one);
    expect(events()).toMatchObject(written.map((message) => ({ level: message, message })));
  });

  it("keeps one full log beside the current one, and no more than that", () => {
    const log = new ServerLog(file, { maxBytes: 1000 });
    for (let line = 0; line < 200; line++) log.info(`line ${line} ${"x".repeat(50)}`);
    expect(statSync(file).size).toBeLessThanOrEqual(1000);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(1000 + 250);
    expect(`${readFileSync(`${file}.1`, "utf8")}${readFileSync(file, "utf8")}`).toContain(
      "line 199 ",
    );
  });
});
