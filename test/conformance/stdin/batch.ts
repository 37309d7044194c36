// One bash script that runs many behaviours, each with a stdin of the same kind, and prints what they answered.
// It is the same script on the host, where the originals answer, and in a VM.
import type { Answer } from "../recorded-case.ts";
import { type Behaviour, bytesOf, type RecordedKind } from "./behaviour.ts";

/** Kinds that a script can make by itself. */
export type BatchKind = Exclude<RecordedKind, "terminal">;

/** Each behaviour has a directory with its script, its input, and the directory `w` that it runs in. */
export function prepareScript(behaviours: readonly Behaviour[]): string {
  const calls = behaviours.map(
    (one, at) =>
      `make ${at} ${one.staysOpen ? "open" : "ends"} ${base64(one.script)} ${given(one)}`,
  );
  return `
export LC_ALL=C TZ=UTC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
make() {
  mkdir -p $1/w
  echo $2 > $1/end
  base64 -d <<< $3 > $1/script
  if [ "$4" = seq ]; then seq $5; else base64 -d <<< "$4"; fi > $1/input
  printf 'o1\\no2\\n' > $1/w/other
}
${calls.join("\n")}
`;
}

export function batchScript(kind: BatchKind, behaviours: readonly Behaviour[]): string {
  return `${prepareScript(behaviours)}
# Writes the input; where stdin stays open, ends only when the reader has ended.
give() { cat input 2> /dev/null; [ $end = ends ] || read -r _ < hold; }
release() { [ $end = ends ] || echo > hold; }
answer() { (cd w; bash -c "$script" > ../out 2> ../err); echo $? > status; }
run() {
  case ${kind} in
    file) answer < input ;;
    pipe) give | { answer; release; } ;;
    fifo) mkfifo fifo; give > fifo & answer < fifo; release; wait ;;
  esac
}
${kind === "socketpair" ? `node - ${behaviours.length} <<'EOF'\n${SOCKETPAIR}EOF` : loop(behaviours.length)}
for ((at = 0; at < ${behaviours.length}; at++)); do
  echo "$(cat $at/status) $(base64 -w 0 $at/out) - $(base64 -w 0 $at/err)"
done
`;
}

function loop(count: number): string {
  return `for ((at = 0; at < ${count}; at++)); do
  cd $at
  script=$(cat script) end=$(cat end)
  mkfifo hold
  run
  cd ..
done`;
}

/** What Node calls a pipe to a child is a socket of a pair, on Linux as in a VM. */
const SOCKETPAIR = `
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
(async () => {
  for (let at = 0; at < Number(process.argv[2]); at++) {
    const read = (name) => fs.readFileSync(at + "/" + name);
    const open = (name) => fs.openSync(at + "/" + name, "w");
    const stdio = ["pipe", open("out"), open("err")];
    const script = String(read("script"));
    const child = spawn("bash", ["-c", script], { cwd: at + "/w", stdio });
    child.stdin.on("error", () => {});
    child.stdin.write(read("input"));
    if (String(read("end")) === "ends\\n") child.stdin.end();
    const [code] = await once(child, "exit");
    child.stdin.destroy();
    stdio.slice(1).forEach((fd) => fs.closeSync(fd));
    fs.writeFileSync(at + "/status", String(code));
  }
})();
`;

/** What the script printed, by the behaviours' names. */
export function parseBatch(
  behaviours: readonly Behaviour[],
  printed: string,
): Record<string, Answer> {
  const lines = printed.trimEnd().split("\n");
  if (lines.length !== behaviours.length) throw new Error(`not an answer for each: ${printed}`);
  return Object.fromEntries(
    behaviours.map(({ name }, at) => [name, parseLine(lines[at] ?? "")] as const),
  );
}

function parseLine(line: string): Answer {
  const [status = "", out = "", , err = ""] = line.split(" ");
  return { stdout: latin1(out), stderr: latin1(err), status: Number(status) };
}

function given(behaviour: Behaviour): string {
  const { input } = behaviour;
  return "seq" in input ? `seq ${input.seq}` : `'${bytesOf(input).toString("base64")}'`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function latin1(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("latin1");
}
