// Options that do not go together, as EnvironmentOptions::CheckOptions finds them.
import { optionValues } from "../bindings/options.ts";
import { facts } from "../facts.ts";

const inputTypes = ["commonjs", "module", "commonjs-typescript", "module-typescript"];
const rejectionModes = ["warn-with-error-code", "throw", "strict", "warn", "none"];

const NO_COVERAGE =
  "V8 tells no coverage there. Use nyc, which instruments the sources, or run the tests where there is a full Node";

/** What an isolate of a VM does not have, by the options that ask for it, one after those it implies; and what to use. */
const notHere: readonly (readonly [options: readonly string[], instead: string])[] = [
  [
    ["--cpu-prof", "--prof"],
    "V8's profiler is not there. Measure with performance.now() or console.time(), or run the script where there is a full Node",
  ],
  [
    ["--heap-prof", "--heapsnapshot-signal"],
    "V8's heap profiler is not there. Compare process.memoryUsage() before and after, or run the script where there is a full Node",
  ],
  [["--experimental-test-coverage"], NO_COVERAGE],
  [
    ["--inspect", "--inspect-wait", "--inspect-brk"],
    "V8's inspector is not there. Use console.log and node --test, or run the script where there is a full Node",
  ],
];

/** What is wrong, in Node's words; several lines where several things are. */
export function checkOptions(rest: readonly string[]): string | undefined {
  const problems = [...wrongValues(), ...conflicts(rest)];
  return problems.length === 0 ? undefined : problems.join("\n");
}

function refusalOf(name: string, instead: string): string {
  return `${name} is not supported in a VM: ${instead}`;
}

function is(name: string): boolean {
  return optionValues.get(name) === true;
}

function text(name: string): string {
  const value = optionValues.get(name);
  return typeof value === "string" ? value : "";
}

function* wrongValues(): Generator<string> {
  // Who asks for it relies on it.
  if (is("--permission")) yield "--permission is not supported in a VM";
  for (const [names, instead] of notHere) {
    const asked = names.findLast((name) => is(name) || text(name) !== "");
    if (asked !== undefined) yield refusalOf(asked, instead);
  }
  if ((facts.env.get("NODE_V8_COVERAGE") ?? "") !== "")
    yield refusalOf("NODE_V8_COVERAGE", NO_COVERAGE);
  const type = text("--input-type");
  if (type !== "" && !inputTypes.includes(type))
    yield '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"';
  if (is("--check") && is("[has_eval_string]"))
    yield "either --check or --eval can be used, not both";
  const mode = text("--unhandled-rejections");
  if (mode !== "" && !rejectionModes.includes(mode))
    yield "invalid value for --unhandled-rejections";
  if (is("--tls-min-v1.3") && is("--tls-max-v1.2"))
    yield "either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both";
  if (Number(optionValues.get("--heapsnapshot-near-heap-limit") ?? 0) < 0)
    yield "--heapsnapshot-near-heap-limit must not be negative";
  const traced = text("--trace-require-module");
  if (!["", "true", "false", "all", "no-node-modules"].includes(traced))
    yield "invalid value for --trace-require-module";
  for (const kind of ["cpu", "heap"]) {
    if (is(`--${kind}-prof`)) continue;
    if (text(`--${kind}-prof-name`) !== "")
      yield `--${kind}-prof-name must be used with --${kind}-prof`;
    if (text(`--${kind}-prof-dir`) !== "")
      yield `--${kind}-prof-dir must be used with --${kind}-prof`;
  }
}

function* conflicts(rest: readonly string[]): Generator<string> {
  if (is("--test")) {
    const isolation = text("--test-isolation");
    if (!["none", "process"].includes(isolation)) yield "invalid value for --test-isolation";
    if (is("--check")) yield "either --test or --check can be used, not both";
    if (is("[has_eval_string]")) yield "either --test or --eval can be used, not both";
    if (is("--interactive")) yield "either --test or --interactive can be used, not both";
    if (watchPaths() > 0) yield "--watch-path cannot be used in combination with --test";
  }
  if (!is("--watch")) return;
  if (is("--check")) yield "either --watch or --check can be used, not both";
  else if (is("[has_eval_string]")) yield "either --watch or --eval can be used, not both";
  else if (is("--interactive")) yield "either --watch or --interactive can be used, not both";
  else if (is("--test-force-exit"))
    yield "either --watch or --test-force-exit can be used, not both";
  else if (!is("--test") && watchPaths() === 0 && rest.length < 1)
    yield "--watch requires specifying a file";
}

function watchPaths(): number {
  const paths = optionValues.get("--watch-path");
  return Array.isArray(paths) ? paths.length : 0;
}
