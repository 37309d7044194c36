import { describe, expect, it } from "vitest";
import { built } from "../../support/built-vms.ts";
import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const { Worker, isMainThread, parentPort, workerData, threadId, MessageChannel } = require("node:worker_threads");
const run = (code, options) => new Promise((resolve) => {
  const events = [];
  const worker = new Worker(code, { eval: true, ...options });
  // Node itself tells of "online" before or after a first message.
  worker.on("online", () => events.unshift(["online"]));
  for (const name of ["message", "exit"]) worker.on(name, (...args) => events.push([name, ...args]));
  worker.on("error", (error) => events.push(["error", error.name, error.message, error.code]));
  worker.on("exit", () => resolve(events));
});
`;

describeLikeNode("worker_threads", {
  "runs a thread with its data and ends with its code": `${start}
    if (!isMainThread) {
      console.log(threadId, workerData, process.argv.slice(2), process.env.A);
      parentPort.once("message", (message) => { parentPort.postMessage([message, process.pid === workerData.pid]); process.exitCode = 5; });
    } else {
      const worker = new Worker(__filename, { workerData: { pid: process.pid, map: new Map([[1, 2]]) }, argv: ["x", 1], env: { A: "a" } });
      // Output and messages come by ports of their own: which is first is not said.
      let answer;
      worker.on("message", (message) => { answer = message; }).on("exit", (code) => console.log("exit", code, worker.threadId, answer));
      worker.postMessage({ hello: 1 });
    }`.replace("console.log(threadId, workerData,", "console.log(threadId, workerData.map,"),
  "tells errors, exits and terminations": `${start}
    (async () => {
      console.log(await run("throw new TypeError('thrown')"));
      console.log(await run("process.exit(3)"));
      console.log(await run("Promise.reject(new RangeError('rejected'))"));
      console.log(await run("syntax error"));
      // Errors and messages come by ports of their own: which is first is not said.
      console.log((await run("process.on('exit', (c) => require('worker_threads').parentPort.postMessage('exit ' + c)); throw 1")).map(String).sort());
      const worker = new Worker("for (;;);", { eval: true });
      worker.once("online", async () => console.log(await worker.terminate(), await worker.terminate()));
    })();`,
  "shares memory and moves buffers and ports": `${start}
    (async () => {
      const shared = new Int32Array(new SharedArrayBuffer(8));
      const waiting = run("const { workerData: w } = require('worker_threads'); Atomics.store(w, 0, 42); Atomics.notify(w, 0); Atomics.wait(w, 1, 0);", { workerData: shared });
      Atomics.wait(shared, 0, 0);
      console.log(shared[0]);
      Atomics.store(shared, 1, 1); Atomics.notify(shared, 1);
      console.log(await waiting);
      const { port1, port2 } = new MessageChannel();
      port1.postMessage("before");
      port1.on("message", (message) => { console.log(message); port1.close(); });
      const buffer = new ArrayBuffer(3);
      const code = "const { workerData: { port, buffer } } = require('worker_threads'); port.on('message', (m) => port.postMessage([m, buffer.byteLength])); port.on('close', () => process.exit(1));";
      const ended = run(code, { workerData: { port: port2, buffer }, transferList: [port2, buffer] });
      console.log(buffer.byteLength, await ended);
    })();`,
  "gives threads streams of their own": `${start}
    const worker = new Worker("process.stdin.on('data', (d) => process.stdout.write(String(d).toUpperCase())); process.stdin.on('end', () => console.error('ended'))", { eval: true, stdin: true, stdout: true, stderr: true });
    const said = { out: "", err: "" };
    worker.stdout.on("data", (data) => { said.out += data; }); worker.stderr.on("data", (data) => { said.err += data; });
    worker.stdin.end("written");
    worker.on("exit", () => console.log(said));`,
  "has threads of threads, and broadcasts among all": `${start}
    const channel = new BroadcastChannel("all");
    let count = 0;
    channel.onmessage = ({ data }) => { count += data; if (count === 11) { console.log(count); channel.close(); } };
    const inner = "new BroadcastChannel('all').unref().postMessage(10)";
    run("new BroadcastChannel('all').unref().postMessage(1); new (require('worker_threads').Worker)(" + JSON.stringify(inner) + ", { eval: true })").then(console.log);`,
  "refuses what a thread may not do": `${start}
    run("for (const f of [() => process.chdir('/'), () => process.setuid(1), () => process.umask(1), () => process.abort()]) try { f() } catch (e) { require('worker_threads').parentPort.postMessage(e.message) }").then(console.log);
    for (const options of [{ execArgv: ["--nonsense"] }, { env: 1 }, { argv: 1 }]) {
      try { new Worker("", { eval: true, ...options }); } catch (error) { console.log(error.code); }
    }`,
});

describe("threads of a hostile process", () => {
  it("are bounded, and end with it", { timeout: 120_000 }, async () => {
    const vms = new built.Vms({ poolSize: 0 });
    try {
      const vm = await vms.create();
      const script = `
        const { Worker } = require("node:worker_threads");
        let failed = 0;
        for (let i = 0; i < 24; i++) new Worker("setInterval(() => {}, 1e6)", { eval: true }).on("error", () => { failed += 1; });
        setTimeout(() => { console.log(failed); process.exit(0); }, 500);`;
      const { stdout, exitCode } = await vm.exec("node", { stdin: script, timeoutMs: 60_000 });
      expect({ stdout, exitCode }).toEqual({ stdout: "8\n", exitCode: 0 });
      expect((await vm.exec("ps -e | grep -c '[n]ode'")).stdout).toBe("0\n");
    } finally {
      await vms.close();
    }
  });
});
