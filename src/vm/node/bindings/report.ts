// The settings of diagnostic reports. Reports themselves are not made in a VM.
import { codedError } from "../errors.ts";
import type { Binding } from "./base.ts";
import { optionValues } from "./options.ts";

/** What was set by process.report; the command line's value where nothing was. */
const settings = new Map<string, unknown>();

function setting(option: string): { get: () => unknown; set: (value: unknown) => void } {
  return {
    get: () => (settings.has(option) ? settings.get(option) : optionValues.get(option)),
    set: (value) => void settings.set(option, value),
  };
}

const compact = setting("--report-compact");
const directory = setting("--report-dir");
const filename = setting("--report-filename");
const signal = setting("--report-signal");
const excludesNetwork = setting("--report-exclude-network");
const excludesEnv = setting("--report-exclude-env");
const onFatalError = setting("--report-on-fatalerror");
const onSignal = setting("--report-on-signal");
const onUncaught = setting("--report-uncaught-exception");

function unsupported(): never {
  throw codedError(
    Error,
    "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
    "Diagnostic reports are not supported in a VM",
  );
}

export const report = (): Binding => ({
  writeReport: unsupported,
  getReport: unsupported,
  getCompact: compact.get,
  setCompact: compact.set,
  getExcludeNetwork: excludesNetwork.get,
  setExcludeNetwork: excludesNetwork.set,
  getExcludeEnv: excludesEnv.get,
  setExcludeEnv: excludesEnv.set,
  getDirectory: directory.get,
  setDirectory: directory.set,
  getFilename: filename.get,
  setFilename: filename.set,
  getSignal: signal.get,
  setSignal: signal.set,
  shouldReportOnFatalError: onFatalError.get,
  setReportOnFatalError: onFatalError.set,
  shouldReportOnSignal: onSignal.get,
  setReportOnSignal: onSignal.set,
  shouldReportOnUncaughtException: onUncaught.get,
  setReportOnUncaughtException: onUncaught.set,
});
