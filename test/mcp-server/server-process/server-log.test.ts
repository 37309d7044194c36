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
  it("writes lines with time, pid and level, and errors with their causes", () => {
    const log = new ServerLog(file);
    log.info("hello");
    log.error("it broke", new Error("outer", { cause: new Error("inner") }));
    const stamp = `\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z ${process.pid}`;
    expect(readFileSync(file, "utf8")).toMatch(
      new RegExp(
        `^${stamp} info hello\n${stamp} error it broke: Error: outer\n[^]*\ncaused by Error: inner\n`,
      ),
    );
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  });

  it("keeps one full log beside the current one, and no more than that", () => {
    const log = new ServerLog(file, 1000);
    for (let line = 0; line < 200; line++) log.info(`line ${line} ${"x".repeat(50)}`);
    expect(statSync(file).size).toBeLessThanOrEqual(1000);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(1000 + 200);
    expect(`${readFileSync(`${file}.1`, "utf8")}${readFileSync(file, "utf8")}`).toContain(
      "line 199 ",
    );
  });
});
