// A server in a VM with the default limits that computes 0.2 s of CPU time in each second, and answers a request each
// second: how long it lives, and what it has used. Exits 1 if it ended before its time.
// `node scripts/pinned.mjs bench/steady-server.ts [--seconds N]`
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Library from "../src/vm/index.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "300" } } });
const seconds = Number(values.seconds);

const server = `
  const burn = () => { const u = process.threadCpuUsage(); while (process.threadCpuUsage(u).user < 200000); };
  require("node:http").createServer((request, response) => {
    burn();
    response.end(String(process.cpuUsage().user / 1e6));
  }).listen(8080, () => console.log("listening"));
`;

await ensureDist();
const { Vms }: typeof Library = await import(new URL("../dist/vm/index.js", import.meta.url).href);
const vms = new Vms({ poolSize: 0 });
const vm = await vms.create();
await vm.files.write("/tmp/server.cjs", server);
const running = await vm.spawn("node /tmp/server.cjs");
const start = performance.now();
let [answers, used] = [0, ""];
while (running.isRunning && performance.now() - start < seconds * 1000) {
  await sleep(1000 - ((performance.now() - start) % 1000));
  const { stdout, exitCode } = await vm.exec(
    "node -e \"fetch('http://127.0.0.1:8080').then(async (r) => console.log(await r.text()))\"",
  );
  if (exitCode !== 0) continue;
  answers += 1;
  used = stdout.trim();
}
const lived = (performance.now() - start) / 1000;
console.log(`lived ${lived.toFixed(0)} s of ${seconds}, ${answers} answers, ${used} s of CPU time`);
for (const notice of running.notices) console.log(notice);
if (!running.isRunning || answers === 0) process.exitCode = 1;
await vms.close();
