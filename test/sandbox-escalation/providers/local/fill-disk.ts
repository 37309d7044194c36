// A sandbox that fills the disk its workspace is on: says why it ended, and whether there was room left. A test runs it
// where that disk is a small one.
import { statfs } from "node:fs/promises";
import { openLocal } from "./local-under-test.ts";

const { provider, makeSpec, directory, close } = openLocal({ usesControlGroups: false });
const spec = await makeSpec();
const limits = { ...spec.limits, memoryMb: 8192, diskMb: 1_000_000 };
const sandbox = await provider.create({ ...spec, limits });
const line =
  "while :; do n=$((n+1)); head -c 8000000 /dev/zero > $n || echo full; sleep 0.05; done";
const filler = await sandbox.spawn(["sh", "-c", line], { cwd: sandbox.cwd, env: {} });
const why = await sandbox.gone;
const { bavail } = await statfs(directory);
const { signal } = await filler.ended;
await sandbox.destroy();
await close();
process.stdout.write(JSON.stringify({ why, signal, isRoomLeft: bavail > 0 }));
