import { defineConfig } from "vitest/config";
import { ReportSkipped } from "./test/support/report-skipped.ts";

/** Where .ci/run wants the counts of a run. */
const outputFile = process.env["AGENTOS_TEST_REPORT"];
const counts: [string, Record<string, unknown>][] =
  outputFile === undefined ? [] : [["json", { outputFile }]];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true,
    reporters: ["default", new ReportSkipped(), ...counts],
  },
});
