import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/vm/doctor/diagnose.ts";
import { notJailable, unless } from "../../support/unless.ts";

describe("diagnose", unless(notJailable), () => {
  it("finds nothing wrong with the whole jail", async () => {
    const report = await diagnose({ home: join(tmpdir(), "agentos-mcp-no-home-yet") });
    const wrong = report.checks.filter(({ state }) => state !== "ok" && state !== "unavailable");
    expect({ wrong, state: report.state }).toEqual({ wrong: [], state: "ok" });
    const count = (group: string): number =>
      report.checks.filter((check) => check.group === group).length;
    expect([count("host"), count("layer"), count("attack")]).toEqual([6, 17, 26]);
  });

  it("calls a missing kernel layer a warning, and names what it lets through", async () => {
    const report = await diagnose({ home: tmpdir(), without: ["landlock", "own-files"] });
    // Which device there is to open depends on who runs this.
    const wrong = report.checks.filter(
      ({ name, state }) =>
        state !== "ok" && state !== "unavailable" && !name.startsWith("open-device"),
    );
    expect(report.state).toBe("warning");
    expect(wrong).toEqual([
      {
        group: "layer",
        name: "landlock",
        state: "warning",
        detail: "switched off by an option",
        remedy:
          "Use Linux 5.13 or newer with `landlock` among the security modules (lsm= at boot).",
      },
      {
        group: "layer",
        name: "own-files",
        state: "warning",
        detail: "switched off by an option",
        remedy:
          "Allow namespaces: for a plain user kernel.unprivileged_userns_clone=1 and no restriction by AppArmor; in a container, its profile. Linux 5.12 or newer is needed.",
      },
      {
        group: "attack",
        name: "read-host-file (native)",
        state: "warning",
        detail: "a cell reads a file of the host",
        remedy: "Make landlock or own-files hold; until then run only guests you trust.",
      },
    ]);
  });

  it("calls it a failure when plain JavaScript gets out", async () => {
    const without = ["permission-model", "landlock", "own-files"] as const;
    const report = await diagnose({ home: tmpdir(), without });
    const failed = report.checks.filter(({ state }) => state === "failed").map(({ name }) => name);
    expect([report.state, failed]).toEqual([
      "failed",
      ["read-host-file (node)", "start-thread (node)", "call-native-code (node)"],
    ]);
  });
});
