// The doctor's report as plain lines for a terminal or a log.
import type { Check, CheckState } from "./check.ts";
import type { DoctorReport } from "./diagnose.ts";

/** Lines without colour and without newlines; groups in order, remedies below what they are for. */
export function formatReport(report: DoctorReport): string[] {
  const lines: string[] = [];
  for (const [group, title] of groups) {
    const checks = report.checks.filter((check) => check.group === group);
    if (checks.length === 0) continue;
    lines.push(title, ...checks.flatMap(formatCheck), "");
  }
  lines.push(verdicts[report.state]);
  return lines;
}

const groups: readonly (readonly [Check["group"], string])[] = [
  ["host", "This host"],
  ["layer", "Layers around a cell"],
  ["attack", "Attacks tried from inside a cell"],
  ["configuration", "The configuration"],
];

const marks: Readonly<Record<CheckState, string>> = {
  ok: "ok",
  warning: "WARNING",
  failed: "FAILED",
  unavailable: "not here",
};

const verdicts: Readonly<Record<DoctorReport["state"], string>> = {
  ok: "Everything holds.",
  warning: "VMs run, with the weaknesses marked WARNING.",
  failed: "Something marked FAILED must be put right before guests are run.",
};

function formatCheck(check: Check): string[] {
  const line = `  ${marks[check.state].padEnd(8)}  ${check.name}: ${check.detail}`;
  return check.remedy === undefined ? [line] : [line, `            → ${check.remedy}`];
}
