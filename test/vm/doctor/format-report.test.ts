import { describe, expect, it } from "vitest";
import { formatReport } from "../../../src/vm/doctor/format-report.ts";

describe("formatReport", () => {
  it("groups the checks, marks their state, and puts remedies below", () => {
    const lines = formatReport({
      state: "warning",
      checks: [
        { group: "host", name: "platform", state: "ok", detail: "linux x64" },
        { group: "host", name: "cgroup", state: "unavailable", detail: "none" },
        {
          group: "layer",
          name: "landlock",
          state: "warning",
          detail: "absent",
          remedy: "Boot newer.",
        },
      ],
    });
    expect(lines).toEqual([
      "This host",
      "  ok        platform: linux x64",
      "  not here  cgroup: none",
      "",
      "Layers around a cell",
      "  WARNING   landlock: absent",
      "            → Boot newer.",
      "",
      "VMs run, with the weaknesses marked WARNING.",
    ]);
  });

  it.each([
    ["ok", "Everything holds."],
    ["failed", "Something marked FAILED must be put right before guests are run."],
  ] as const)("ends a report that is %s with a verdict", (state, verdict) => {
    expect(formatReport({ state, checks: [] })).toEqual([verdict]);
  });
});
