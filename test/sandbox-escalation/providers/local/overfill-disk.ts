// A sandbox of 400 MB that writes as fast as it can, in calls that SIGSTOP does not break off: says why it ended, how much the disk
// held at most, and what it held in the end. A test runs it where the disk is its own.
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { sumDiskUse } from "../../../../src/sandbox-escalation/providers/local/use-watch.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { openLocal } from "./local-under-test.ts";

const MEBIBYTE = 1024 * 1024;
const { provider, makeSpec, directory, close } = openLocal({ usesControlGroups: false });
const spec = await makeSpec();
const limits = { ...spec.limits, memoryMb: 16_384, diskMb: 400 };
const sandbox = await provider.create({ ...spec, limits });
await sh(sandbox, "echo kept > kept");
const { bavail: before, bsize } = await statfs(directory);
// A thread of its own looks at the disk: the server's has other things to do.
const least = new BigInt64Array(new SharedArrayBuffer(8));
least[0] = BigInt(before);
const eye = new Worker(
  `const { workerData } = require("node:worker_threads"); const { statfsSync } = require("node:fs");
   for (;;) { const free = BigInt(statfsSync(workerData.directory).bavail);
     if (free < workerData.least[0]) workerData.least[0] = free;
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); }`,
  { eval: true, workerData: { directory, least } },
);
const writer =
  'my $b = "x" x 300e6; for my $n (1..8) { next if fork; open(my $h, ">", "$$"); syswrite($h, $b); exit } ' +
  "while (wait > 0) {}";
// What still writes at the limit is killed, and with it perhaps whoever started it: only from outside does it go on for certain.
let isGone = false;
const gone = sandbox.gone.finally(() => {
  isGone = true;
});
const overfill = async (): Promise<void> => {
  while (!isGone) {
    const run = await sandbox.spawn(["perl", "-e", writer], { cwd: sandbox.cwd, env: {} });
    await run.ended;
  }
};
// A spawn fails once the sandbox is gone.
await Promise.allSettled([overfill(), gone]);
const why = await gone;
await eye.terminate();
const left = await sumDiskUse([spec.workspace]);
const said = {
  why,
  mostMb: Math.ceil((Number(BigInt(before) - (least[0] ?? 0n)) * bsize) / MEBIBYTE),
  leftMb: Math.ceil((left?.bytes ?? 0) / MEBIBYTE),
  kept: readFileSync(join(spec.workspace, "kept"), "utf8"),
};
await sandbox.destroy();
await close();
process.stdout.write(JSON.stringify(said));
