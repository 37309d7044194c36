// Says at the end of a run what it skipped, and why.
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import "./unless.ts";

export class ReportSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    const byReason = Map.groupBy(skipped, reasonOf);
    const lines = [...byReason].map(
      ([reason, tests]) => `  ${String(tests.length).padStart(4)}  ${reason}\n`,
    );
    process.stdout.write(`Skipped ${skipped.length} tests:\n${lines.join("")}\n`);
  }
}

/** The obstacle that the test gives, or the outermost suite around it that has one. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  let reason = result.state === "skipped" ? result.note : undefined;
  for (let at: TestCase | TestSuite | TestModule = test; at.type !== "module"; at = at.parent) {
    reason = at.meta().obstacle ?? reason;
  }
  return reason ?? `no reason given: ${test.module.relativeModuleId} > ${test.fullName}`;
}
