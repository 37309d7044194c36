// A file of Node's tests: what it asks of `node`, and why it may be none of ours.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findModule } from "./module-groups.ts";

export interface TestFile {
  /** Its name in test/parallel. */
  readonly name: string;
  readonly module: string;
  /** What its `// Flags:` line wants. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Why it is not run; undefined where it is. */
  readonly leftOut?: string;
}

/** Flags that Node's own JavaScript answers; all others are V8's or Node's C++. */
const scriptFlags: ReadonlySet<string> = new Set([
  "--dns-result-order",
  "--disable-proto",
  "--enable-source-maps",
  "--env-file",
  "--experimental-eventsource",
  "--experimental-require-module",
  "--experimental-sqlite",
  "--experimental-stream-iter",
  "--experimental-test-module-mocks",
  "--experimental-vm-modules",
  "--frozen-intrinsics",
  "--import",
  "--insecure-http-parser",
  "--network-family-autoselection-attempt-timeout",
  "--no-deprecation",
  "--no-experimental-require-module",
  "--no-experimental-websocket",
  "--no-network-family-autoselection",
  "--no-warnings",
  "--pending-deprecation",
  "--preserve-symlinks",
  "--require",
  "--test-isolation",
  "--test-only",
  "--test-udp-no-try-send",
  "--throw-deprecation",
  "--title",
  "--trace-warnings",
  "--unhandled-rejections",
  "--zero-fill-buffers",
]);

/** Whole areas that issue 4 does not have; names of files, then what a file may load. */
const foreignNames =
  /(^|-)(inspector|inspect-brk|debugger|addons?|snapshot|sea|wasi|permission|cluster|http2|tls|https|quic|ffi)(-|\.|$)/;
const foreignLoads =
  /\b(?:require|import)\(?[^'"\n]{0,80}['"](?:node:)?(inspector|cluster|http2|https|tls|quic|wasi|repl|domain|trace_events|ffi|sea)(?:\/promises)?['"]/;

/** The files of `<checkout>/test/parallel` about the modules of module-groups.ts, sorted. */
export function readTestFiles(checkout: string): TestFile[] {
  const directory = join(checkout, "test/parallel");
  return readdirSync(directory)
    .filter((name) => /^test-.*\.[cm]?js$/.test(name))
    .toSorted()
    .flatMap((name) => {
      const module = findModule(name);
      if (module === undefined) return [];
      return [describeTestFile(name, module, readFileSync(join(directory, name), "utf8"))];
    });
}

export function describeTestFile(name: string, module: string, source: string): TestFile {
  const flags = words(source, "Flags");
  const env = Object.fromEntries(
    words(source, "Env").map((word) => [word.split("=")[0], word.slice(word.indexOf("=") + 1)]),
  );
  const leftOut = findReason(name, flags, source);
  return { name, module, flags, env, ...(leftOut === undefined ? {} : { leftOut }) };
}

function findReason(name: string, flags: readonly string[], source: string): string | undefined {
  const native = flags.find(
    (flag) => flag.startsWith("-") && !scriptFlags.has(flag.split("=")[0] ?? flag),
  );
  if (native !== undefined) return `needs the native flag ${native.split("=")[0]}`;
  const area = foreignNames.exec(name)?.[2] ?? foreignLoads.exec(source)?.[1];
  if (area !== undefined) return `needs ${area}`;
  if (/skipIfInspectorDisabled\(/.test(source)) return "needs inspector";
  if (/common\/addons|process\.dlopen|\.node['"]\)/.test(source)) return "needs addons";
  return undefined;
}

/** The words of a `// Flags:` or `// Env:` line, looked for where Node's own runner looks. */
function words(source: string, what: "Flags" | "Env"): string[] {
  const found = [...source.slice(0, 3000).matchAll(new RegExp(`^// ${what}:\\s+(.*)$`, "gm"))];
  return found.flatMap((match) => (match[1] ?? "").split(/\s+/).filter((word) => word !== ""));
}
