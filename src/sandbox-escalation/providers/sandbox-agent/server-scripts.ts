// What is done on the server's machine by its sh, a request each: sandboxes there are directories with a record, and
// processes that have their sandbox's name in their environment.
import { SandboxError } from "../../provider.ts";
import type { ServerClient } from "./server-client.ts";

/** In the environment of every process of a sandbox. */
export const SANDBOX_VARIABLE = "AGENTOS_SANDBOX";

/** `$1`: the directory of sandboxes, or nothing; `$2`: which of them. */
const PRELUDE = 'umask 077; root=${1:-"${HOME:-/tmp}/.agentos-mcp/sandboxes"}';

const scripts = {
  /** The machine, and where sandboxes are. */
  look: `uname -s; uname -m; mkdir -p "$root" && cd "$root" && pwd -P &&
for one in chmod kill grep; do command -v $one; done`,
  /** `$3`: its record. It appears whole. */
  make: `set -e; new="$root/.new-$2"; mkdir -p "$root"; mkdir "$new" "$new/workspace" "$new/home"
printf '%s\\n' "$3" > "$new/record.json"; mv "$new" "$root/$2"; cd "$root/$2"; uname -m; pwd -P`,
  /** Its record, 3 where there is none. */
  read: 'cd "$root/$2" 2>/dev/null && test -f record.json || exit 3; uname -m; pwd -P; head -c 4096 record.json',
  list: `cd "$root" 2>/dev/null || exit 0
for record in [0-9a-f]*/record.json; do
  test -f "$record" && printf '%s ' "\${record%/*}" && head -c 4096 "$record"
done; true`,
  /** What is left of its processes, 4 where they do not end. */
  sweep: `for round in 1 2 3 4 5 6 7 8; do
  left=$(grep -lsz "^${SANDBOX_VARIABLE}=$2\\$" /proc/[0-9]*/environ)
  test -z "$left" && exit 0
  for one in $left; do one=\${one#/proc/}; kill -KILL "\${one%/environ}" 2>/dev/null; done
  test $round -gt 3 && sleep 0.2
done; exit 4`,
  /** Its record goes last: what is left half-way is found again. */
  remove: `cd "$root" 2>/dev/null || exit 0
test -e "$2" || test -e ".new-$2" || exit 0
for one in "$2/workspace" "$2/home" "$2" ".new-$2"; do
  test -e "$one" || continue
  rm -rf "$one" 2>/dev/null || { chmod -R u+rwx "$one"; rm -rf "$one"; }
done
test ! -e "$2"`,
} as const;

export interface ScriptResult {
  readonly status: number;
  readonly lines: readonly string[];
}

/** SandboxError "failed" when it cannot be run or takes too long. */
export async function runScript(
  client: ServerClient,
  name: keyof typeof scripts,
  words: readonly string[] = [],
  signal?: AbortSignal,
): Promise<ScriptResult> {
  const args = [
    "-c",
    `${PRELUDE}\n${scripts[name]}`,
    "sh",
    client.access.directory ?? "",
    ...words,
  ];
  const run = await client.call(
    (agent) => agent.runProcess({ command: "sh", args, cwd: "/", timeoutMs: SCRIPT_MS }),
    signal,
  );
  // It may answer anything, null too.
  if (run?.timedOut !== false || typeof run.stdout !== "string")
    throw new SandboxError("failed", `The sandbox-agent server could not ${name} it in time.`);
  const { exitCode, stdout, stdoutTruncated } = run;
  const lines = stdout.split("\n");
  // The rest after the last newline is nothing, or half a line.
  const whole = stdoutTruncated || lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return { status: exitCode ?? 137, lines: whole };
}

/** Large workspaces take their time to go; the server allows five minutes. */
const SCRIPT_MS = 50_000;
