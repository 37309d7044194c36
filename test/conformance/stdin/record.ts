// Run by hand on Debian with bash 5.2 and GNU's tools, by the pinned node:
//   test/conformance/stdin/record.ts [file|pipe|fifo|socketpair|terminal…]
// Writes what the originals answer here to each behaviour with that kind of stdin.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Answer } from "../recorded-case.ts";
import { batchScript, parseBatch } from "./batch.ts";
import { type Behaviour, type RecordedKind, recordedKinds } from "./behaviour.ts";
import { behaviours, recordedFile } from "./manifest.ts";
import { runOnTerminal, Shown, terminalScript } from "./terminal.ts";

const env = {
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  HOME: "/tmp",
  TERM: "xterm-256color",
};
const named = process.argv.slice(2);
for (const kind of recordedKinds.filter((one) => named.length === 0 || named.includes(one))) {
  const chosen = behaviours.filter(({ skips }) => skips[kind] === undefined);
  const answers = await record(kind, chosen);
  writeFileSync(recordedFile(kind), `${JSON.stringify(answers, null, 2)}\n`);
  process.stdout.write(`${kind}: ${chosen.length} behaviours\n`);
}

async function record(
  kind: RecordedKind,
  chosen: readonly Behaviour[],
): Promise<Record<string, Answer>> {
  if (kind === "terminal") return recordTerminal(chosen);
  const { stdout, stderr } = spawnSync("bash", ["-c", batchScript(kind, chosen)], {
    env,
    encoding: "latin1",
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stderr.write(stderr);
  return parseBatch(chosen, stdout);
}

async function recordTerminal(chosen: readonly Behaviour[]): Promise<Record<string, Answer>> {
  const shown = new Shown();
  const child = spawn("script", ["-qefc", 'bash -c "$STDIN_SCRIPT"', "/dev/null"], {
    env: { ...env, SHELL: "/bin/sh", STDIN_SCRIPT: terminalScript(chosen) },
  });
  child.stdout.on("data", (chunk: Buffer) => shown.append(chunk)).on("end", () => shown.end());
  const answers = await runOnTerminal(chosen, {
    type: (bytes) => void child.stdin.write(bytes),
    shown: (mark) => shown.upTo(mark),
  });
  await once(child, "close");
  return answers;
}
