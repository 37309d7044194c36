// A home has one limit, and never takes the last of a disk (issue 14, finding 13).
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HomeSpace } from "../../src/vm/home-space.ts";
import { OutputLog } from "../../src/vm/output-log.ts";
import { notLinux, notRoot, unless } from "../support/unless.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

const MIB = 1024 * 1024;

describe("a home with a small limit", () => {
  let server: InstalledServer;
  let client: McpClient;
  beforeAll(async () => {
    server = InstalledServer.install();
    const config = { homeLimitMb: 3 };
    writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
    client = await connectModern(server.command);
    await client.call("vm_create", { name: "one" });
  });
  afterAll(async () => {
    await client.close();
    await server.remove();
  });

  function outputBytes(): number {
    const directory = join(server.home.directory, "output");
    const files = readdirSync(directory, { recursive: true, withFileTypes: true });
    return files
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  }

  it("lets a command go on whose log cannot be kept, with its beginning and end, and says so", async () => {
    const command = "echo first; head -c 20M /dev/zero | tr '\\0' x; echo; echo last";
    const { structuredContent } = await client.call("vm_exec", { vm_id: "one", command });
    expect(structuredContent).toMatchObject({
      status: "exited",
      exit_code: 0,
      truncated: true,
      stdout: expect.stringMatching(
        /^first\n[^]*bytes omitted; log of the first \d+ bytes: vm:\/\/one[^]*last\n$/,
      ),
      notice: expect.stringMatching(
        /^Of stdout, only the first \d+ bytes and the end are kept: the home \(homeLimitMb\) may have 3 MiB\.$/,
      ),
    });
    expect(outputBytes()).toBeLessThanOrEqual(3 * MIB);
    const next = await client.call("vm_exec", { vm_id: "one", command: "echo on" });
    expect(next.structuredContent).toMatchObject({ stdout: "on\n", exit_code: 0 });
  });
});

describe("a small disk", () => {
  it("is never filled: a part of it stays free", unless(notLinux, notRoot), async () => {
    const directory = mkdtempSync(join(tmpdir(), "home-limit-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=32m", "none", directory]);
    try {
      const space = new HomeSpace({ directory, limitMb: 1000, limit: "the home" });
      const log = new OutputLog(join(directory, "log"), space);
      for (let n = 0; n < 64; n++) await log.append(new Uint8Array(MIB));
      await log.settled();
      const { bavail, bsize } = statfsSync(directory);
      expect(bavail * bsize).toBeGreaterThan(MIB);
      expect(log.keptBytes).toBeGreaterThan(28 * MIB);
      expect(log.failure).toContain("the last of the disk is kept free");
      expect(log.totalBytes).toBe(64 * MIB);
    } finally {
      execFileSync("umount", [directory]);
      rmSync(directory, { recursive: true });
    }
  });

  it("counts what others have written into the home", async () => {
    const directory = mkdtempSync(join(tmpdir(), "home-limit-"));
    writeFileSync(join(directory, "others"), new Uint8Array(5 * MIB));
    const space = new HomeSpace({ directory, limitMb: 8, limit: "the home" });
    expect(space.room()).toBe(8 * MIB);
    await space.count();
    expect(space.room()).toBeLessThanOrEqual(3 * MIB);
    expect(space.take(10 * MIB)).toBeLessThanOrEqual(3 * MIB);
    expect([space.room(), space.lack]).toEqual([0, "the home may have 8 MiB"]);
    rmSync(directory, { recursive: true });
  });
});
