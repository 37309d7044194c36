// A server for one sandbox that a test kills: says the sandbox's ref and a pid of the host in it.
import { readdirSync, readFileSync } from "node:fs";
import { readUntil } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { openLocal } from "./local-under-test.ts";

const { provider, makeSpec, directory } = openLocal();
const sandbox = await provider.create(await makeSpec());
const mark = `sleep\0${process.pid}00\0`;
const sleep = await sandbox.spawn(["sh", "-c", `echo ready; exec sleep ${process.pid}00`], {
  cwd: sandbox.cwd,
  env: {},
});
await readUntil(sleep, "ready\n");
const find = () =>
  readdirSync("/proc").find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === mark;
    } catch {
      return false;
    }
  });
for (let pid = find(); ; pid = find()) {
  if (pid === undefined) continue;
  process.stdout.write(JSON.stringify({ ref: sandbox.ref, pid, directory }));
  break;
}
setInterval(() => {}, 1000);
