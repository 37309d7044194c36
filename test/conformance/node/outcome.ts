// What a run of one of Node's test files came to.

export type Verdict = "passed" | "failed" | "skipped" | "timed out";

export interface Outcome {
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly durationMs: number;
  /** The line that says what went wrong, or why it was skipped. */
  readonly line?: string;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

const LINE_LIMIT = 300;

export function judge({ exitCode, stdout, stderr, timedOut, durationMs }: Ended): Outcome {
  if (timedOut) {
    const line = findErrorLine(stderr, stdout) ?? "no output";
    return { verdict: "timed out", exitCode, durationMs, line };
  }
  if (exitCode !== 0) {
    const line = findErrorLine(stderr, stdout) ?? `exit status ${exitCode} without output`;
    return { verdict: "failed", exitCode, durationMs, line };
  }
  // What common.skip() prints; a file of many parts that skips one of them is not skipped.
  const skip = /^1\.\.0 # Skipped: (.*)$/m.exec(stdout);
  if (skip === null) return { verdict: "passed", exitCode, durationMs };
  return { verdict: "skipped", exitCode, durationMs, line: skip[1] ?? "" };
}

const tellsMost = [
  /^(Uncaught |\[?)?\w*(Error|Exception)\b.*/m,
  /^Mismatched .* function calls\..*/m,
  /^\s*error: .*/m,
  /.*\w*Error\b.*/m,
  /.*(not found|Killed|Aborted|Segmentation fault).*/m,
];

function findErrorLine(stderr: string, stdout: string): string | undefined {
  for (const text of [stderr, stdout]) {
    for (const pattern of tellsMost) {
      const found = pattern.exec(text)?.[0].trim();
      if (found !== undefined) return cut(withDetail(found, text));
    }
  }
  return [stderr, stdout].flatMap((text) => text.split("\n")).find((line) => line.trim() !== "");
}

/** node:assert says only "Expected values to be strictly equal:" on its first line. */
function withDetail(line: string, text: string): string {
  if (!line.endsWith(":")) return line;
  const rest = text.slice(text.indexOf(line) + line.length).split("\n");
  const detail = rest.filter((part) => part.trim() !== "" && !/^\s+at /.test(part)).slice(0, 2);
  return `${line} ${detail.map((part) => part.trim()).join(" | ")}`;
}

function cut(line: string): string {
  return line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line;
}
