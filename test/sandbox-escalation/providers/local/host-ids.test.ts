import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findHostIds } from "../../../../src/sandbox-escalation/providers/local/host-ids.ts";
import { notRoot, unless } from "../../../support/unless.ts";

describe("findHostIds", unless(notRoot), () => {
  it("gives sandboxes of root's ids that are lent to nobody", () => {
    const { uid, gid } = findHostIds();
    // What useradd lends, see login.defs(5), and containers of systemd.
    expect(uid).toBeGreaterThan(600_100_000);
    expect(uid).toBeGreaterThan(0x6fff_ffff);
    expect(gid).toBe(uid);
    const listed = ["/etc/subuid", "/etc/subgid"]
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, "utf8").trim().split("\n"))
      .map((line) => line.split(":").slice(1).map(Number));
    const within = listed.filter(
      ([first = 0, count = 0]) => uid + 65_536 > first && uid < first + count,
    );
    expect(within).toEqual([]);
  });
});
