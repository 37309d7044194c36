import { staticsOf } from "../statics.ts";
import { type Binding, unavailable } from "./base.ts";

/** Coverage needs V8's inspector, which guests do not have. */
export const profiler = (): Binding => ({
  ...staticsOf("profiler"),
  setCoverageDirectory: () => undefined,
  setSourceMapCacheGetter: () => undefined,
  startCoverage: refuseCoverage,
  takeCoverage: refuseCoverage,
  stopCoverage: refuseCoverage,
  endCoverage: refuseCoverage,
});

function refuseCoverage(): never {
  throw unavailable("code coverage");
}
