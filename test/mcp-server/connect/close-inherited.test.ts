import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notLinux, unless } from "../../support/unless.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient } from "../support/raw-client.ts";
import { TestHome } from "../support/test-home.ts";

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install({ hasRealTools: true });
  home = new TestHome();
});
afterAll(async () => {
  await home.close();
  installation.remove();
});

function filesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      // Closed since it was listed.
      return [];
    }
  });
}

describe("a client that holds a lock by `exec 200>>file`", unless(notLinux), () => {
  it("gives the file to neither the server nor a cell, and its lock ends with it", async () => {
    const lock = join(home.directory, "lock");
    const starter = join(home.directory, "starter");
    writeFileSync(lock, "");
    writeFileSync(
      starter,
      `#!/bin/sh\nexec bash -c 'exec 9>>"$0" 30>>"$0" 200>>"$0"; flock -x 200; exec "$@"' '${lock}' '${process.execPath}' "$@"\n`,
    );
    chmodSync(starter, 0o755);
    const client = new RawClient(installation, home, { node: starter });
    await client.initialize();
    expect(await client.callText("vm_exec", { command: "echo up" })).toContain("up");
    const [server] = home.records();
    const cells = home.cellPids();
    expect(cells.length).toBeGreaterThan(0);
    const pids = [server?.pid ?? 0, ...cells];
    expect(pids.filter((pid) => filesOf(pid).includes(lock))).toEqual([]);
    await client.leave();
    // Throws while somebody holds the lock.
    execFileSync("sh", ["-c", `flock -n '${lock}' true`]);
  });
});
