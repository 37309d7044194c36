import { defineConfig } from "vitest/config";
import { longSuites } from "./test/long-suites.ts";
import { ReportSkipped } from "./test/support/report-skipped.ts";

const long = Object.values(longSuites).flat();

/** Tests that start nothing and change nothing of their process: they share one, and load the sources once. */
const pure = [
  "test/kernel/**/*.test.ts",
  "test/mcp-server/{config,presentation}/**/*.test.ts",
  "test/toolkit-cli/**/*.test.ts",
  "test/vm/shell/{expansion,syntax}/**/*.test.ts",
  "test/vm/wire/**/*.test.ts",
];

/** Where .ci/run wants the counts of a run. */
const outputFile = process.env["AGENTOS_TEST_REPORT"];
const counts: [string, Record<string, unknown>][] =
  outputFile === undefined ? [] : [["json", { outputFile }]];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      {
        extends: true,
        test: { name: "short", include: ["test/**/*.test.ts"], exclude: [...pure, ...long] },
      },
      { extends: true, test: { name: "long", include: long } },
    ],
    // Node runs what was built as it is.
    server: { deps: { external: [/\/dist\//] } },
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    restoreMocks: true,
    unstubEnvs: true,
    reporters: ["default", new ReportSkipped(), ...counts],
  },
});
