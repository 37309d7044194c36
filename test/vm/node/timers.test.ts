// An unref'd timer that fires has kept its process alive: each says so, far later than any script here needs.
import { describeLikeNode } from "../../support/node-beside.ts";

const witness = `setTimeout(() => console.log("kept alive"), 20_000).unref();`;

describeLikeNode("timers that are unref'd let the process end", {
  "as the first timer of a process": witness,
  "made by a timer, when no other is left": `setTimeout(() => { ${witness} console.log("due"); }, 1);`,
  "beside the timers of a request that fails": `${witness}
    require("node:http").get("http://127.0.0.1:7").on("error", (error) => console.log(error.code));`,
  "beside the timers of a connection that its agent keeps": `${witness}
    const http = require("node:http");
    const server = http.createServer((request, response) => response.end("x")).listen(0, () => {
      const agent = new http.Agent({ keepAlive: true });
      http.get({ port: server.address().port, agent, timeout: 60_000 }, (response) => {
        response.resume().on("end", () => server.close(() => console.log("closed")));
      });
    });`,
  "beside a fetch": `${witness}
    const server = require("node:http").createServer((request, response) => response.end("x")).listen(0, async () => {
      const response = await fetch("http://127.0.0.1:" + server.address().port, { signal: AbortSignal.timeout(60_000) });
      console.log(await response.text());
      server.close();
    });`,
  "beside an unref'd child, a worker and intervals": `${witness}
    const { spawn } = require("node:child_process");
    const { Worker } = require("node:worker_threads");
    const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
    child.unref();
    process.on("exit", () => child.kill());
    new Worker("setTimeout(() => {}, 60_000)", { eval: true }).unref();
    setInterval(() => console.log("interval"), 20_000).unref();`,
  "unless they are ref'd again": `
    const timer = setTimeout(() => console.log("fired"), 1).unref();
    timer.ref();`,
});
