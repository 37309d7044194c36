// Says at the end of a run what it left out, and why.
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node";
import { longSuites } from "../long-suites.ts";
import "./unless.ts";

export class ReportSkipped implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    const reasons = [...Map.groupBy(skipped, reasonOf)].map(
      ([reason, tests]) => `  ${String(tests.length).padStart(4)}  ${reason}\n`,
    );
    if (reasons.length > 0) write(`Skipped ${skipped.length} tests:\n${reasons.join("")}\n`);
    if (await this.#leavesOutLongSuites(modules)) {
      const names = Object.keys(longSuites).join(", ");
      write(`Left out the long suites (${names}): npm run test:long\n\n`);
    }
  }

  /** Whether this was a run of everything else: somebody who names files knows what they left out. */
  async #leavesOutLongSuites(modules: readonly TestModule[]): Promise<boolean> {
    if (modules.some((module) => module.project.name === "long")) return false;
    const all = await this.#vitest?.globTestSpecifications();
    return all?.length === modules.length;
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

function write(text: string): void {
  process.stdout.write(text);
}
