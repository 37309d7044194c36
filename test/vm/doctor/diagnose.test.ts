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
    expect([count("host"), count("layer"), count("attack")]).toEqual([6, 10, 23]);
  });

  it("calls a missing kernel layer a warning, and names what it lets through", async () => {
    const report = await diagnose({ home: tmpdir(), without: ["landlock"] });
    const wrong = report.checks.filter(({ state }) => state !== "ok" && state !== "unavailable");
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
      ...[
        ["read-host-file (native)", "a cell reads a file of the host"],
        ["read-server-environment (native)", "a cell reads the server's environment from /proc"],
        ["open-device (native)", "a cell opens a device of the host"],
      ].map(([name, detail]) => ({
        group: "attack",
        name,
        state: "warning",
        detail,
        remedy: "Make landlock hold; until then run only guests you trust.",
      })),
    ]);
  });

  it("calls it a failure when plain JavaScript gets out", async () => {
    const without = ["permission-model", "landlock"] as const;
    const report = await diagnose({ home: tmpdir(), without });
    const failed = report.checks.filter(({ state }) => state === "failed").map(({ name }) => name);
    expect([report.state, failed]).toEqual([
      "failed",
      ["read-host-file (node)", "start-thread (node)", "call-native-code (node)"],
    ]);
  });
});
