import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { findTree } from "../../../../src/sandbox-escalation/providers/local/process-tree.ts";
import { notLinux, unless } from "../../../support/unless.ts";

it("finds processes that any thread has started", unless(notLinux), async () => {
  const program = `
    const { spawn } = require("node:child_process");
    const { parentPort } = require("node:worker_threads");
    const child = spawn("sleep", ["60"]);
    parentPort.postMessage(child.pid);
    parentPort.once("message", () => child.kill());`;
  const thread = new Worker(program, { eval: true });
  const [pid]: unknown[] = await once(thread, "message");
  expect(await findTree(process.pid)).toContain(pid);
  thread.postMessage("end");
  await once(thread, "exit");
});
