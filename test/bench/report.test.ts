import { describe, expect, it } from "vitest";
import type { Result } from "../../bench/measure-rows.ts";
import { formatProblems, formatTable, judge } from "../../bench/report.ts";

function figure(median: number) {
  return { median, p95: median * 2, rounds: 20 };
}

const echo: Result = {
  key: "echo",
  title: "warm `echo hi`",
  unit: "ms",
  goals: [{ timesFaster: 50, than: "agentos" }],
  figures: { ours: figure(2), agentos: figure(100), "just-bash": { problem: "it ended" } },
};

describe("judge", () => {
  it("counts a goal as met from the very ratio on", () => {
    expect(judge(echo)).toBe("≥ 50× agentOS: met");
    expect(judge({ ...echo, goals: [{ timesFaster: 50.1, than: "agentos" }] })).toBe(
      "≥ 50.1× agentOS: missed",
    );
  });

  it("does not count a goal as met without both figures", () => {
    const { ours, ...others } = echo.figures;
    expect(ours).toBeDefined();
    expect(judge({ ...echo, figures: others })).toBe("≥ 50× agentOS: not measured");
    expect(judge({ ...echo, figures: { ours: figure(2), agentos: { problem: "x" } } })).toBe(
      "≥ 50× agentOS: not measured",
    );
  });

  it("judges a time and what another may be slower by", () => {
    const host = { ...echo, figures: { ours: figure(2), host: figure(0.5) } };
    expect(judge({ ...host, goals: [{ mostMs: 2 }, { timesSlower: 4, than: "host" }] })).toBe(
      "≤ 2.00 ms: met; ≤ 4× host: met",
    );
    expect(judge({ ...host, goals: [{ mostMs: 1.9 }, { timesSlower: 3.9, than: "host" }] })).toBe(
      "≤ 1.90 ms: missed; ≤ 3.9× host: missed",
    );
  });

  it("counts memory as returned when less than a megabyte of a destroyed VM is left", () => {
    const kept: Result = { key: "memory-kept", title: "kept", unit: "MB", figures: {} };
    expect(judge({ ...kept, figures: { ours: figure(0.9) } })).toBe("all returned: met");
    expect(judge({ ...kept, figures: { ours: figure(1.1) } })).toBe("all returned: missed");
    expect(judge(kept)).toBe("all returned: not measured");
  });
});

describe("formatTable", () => {
  it("shows medians, p95 and how many times ours a peer takes", () => {
    expect(formatTable([echo], ["ours", "agentos", "just-bash"])).toBe(
      [
        "| median (p95) | agentos-mcp | agentOS 0.2.21 | × | just-bash 3.4.2 | × | goal |",
        "|---|--:|--:|--:|--:|--:|---|",
        "| warm `echo hi` | 2.00 ms (4.00) | 100 ms (200) | 50.0 | failed |  | ≥ 50× agentOS: met |",
      ].join("\n"),
    );
  });
});

describe("formatProblems", () => {
  it("gives the reason of each figure that is missing", () => {
    expect(formatProblems([echo])).toBe("- warm `echo hi`, just-bash: it ended");
  });
});
