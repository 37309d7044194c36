import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ServerLog } from "../../src/mcp-server/server-process/server-log.ts";
import { GuestLog } from "../../src/vm/guest-log.ts";

it("puts the name before each line, and makes what is hidden in it visible", () => {
  const lines: string[] = [];
  new GuestLog((line) => lines.push(line)).open("VM one").add("a\nVM two: b\u001b[1A\u202e");
  expect(lines).toEqual(["VM one: a\\nVM two: b\\u{1b}[1A\\u{202e}"]);
});

it("counts what is beyond a ration, and says so once", () => {
  const lines: string[] = [];
  const source = new GuestLog((line) => lines.push(line)).open("VM one");
  for (let n = 0; n < 5000; n++) source.add(`line ${n}`);
  expect(lines).toHaveLength(100);
  source.close();
  source.close();
  expect(lines.slice(100)).toEqual(["VM one: 4900 lines suppressed"]);
});

it("leaves the log to others, however many VMs flood it", () => {
  const directory = mkdtempSync(join(tmpdir(), "guest-log-"));
  const file = join(directory, "server.log");
  const log = new ServerLog(file);
  log.info("approvals: denied");
  const guests = new GuestLog((line) => log.warn(line));
  for (let vm = 0; vm < 200; vm++) {
    const source = guests.open(`VM ${vm}`);
    for (let n = 0; n < 200; n++) source.add("x".repeat(8192));
    source.close();
  }
  const text = readFileSync(file, "utf8");
  expect(text).toContain("approvals: denied");
  expect(text.length).toBeLessThan(1_300_000);
  rmSync(directory, { recursive: true });
});
