#!/usr/bin/env node
// What a client starts, on any Node. Says so if that Node is too old, brings a checkout's build up to
// date, and hands over to the compiled command line. stdout belongs to MCP.
import { existsSync } from "node:fs";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const oldestMajor = 20;
const flushLimitMs = 1000;
/** A wait that is longer is explained. */
const quietMs = 1000;

if (Number(process.versions.node.split(".")[0]) < oldestMajor) {
  process.stderr.write(
    `agentos-mcp needs Node ${oldestMajor} or newer; this is ${process.version}. Install a newer Node and try again.\n`,
  );
  process.exit(1);
}

const terminals = [0, 1, 2].filter((fd) => isatty(fd));
// Where nobody can be told there is nothing to say, and no reason to leave anything undone.
process.stderr.on("error", () => undefined);
/** @type {(Error & { code?: string }) | undefined} */
let outputError;
process.stdout.on("error", (error) => {
  outputError ??= error;
});

start().then(leave, (error) => {
  process.stderr.write(`agentos-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
  leave(1);
});

async function start() {
  if (existsSync(new URL("../src", import.meta.url))) {
    const { ensureDist } = await import("../scripts/ensure-dist.mjs");
    const explain = () =>
      process.stderr.write(
        "agentos-mcp: Building from the sources, as after each change; this takes some seconds.\n",
      );
    const slow = setTimeout(explain, quietMs);
    await ensureDist().finally(() => clearTimeout(slow));
  }
  const { findPinnedNode } = await import("../scripts/find-pinned-node.mjs");
  const { main } = await import("../dist/mcp-server/main.js");
  const binFile = fileURLToPath(import.meta.url);
  return await main(process.argv.slice(2), { binFile, pinnedNode: findPinnedNode() });
}

/**
 * Flushes what was written first; a client that does not read does not keep us.
 *
 * @param {number} exitCode
 */
function leave(exitCode) {
  if (terminals.some((fd) => !isatty(fd))) dieOfHangUp();
  setTimeout(() => process.exit(exitCode), flushLimitMs).unref();
  // An error of what was written before is told after this has been called.
  process.stdout.write("", () =>
    setImmediate(() => process.exit(exitCode === 0 ? statusOfOutput() : exitCode)),
  );
}

/** A reader that has left has what it wanted; anything else that keeps output back is told. */
function statusOfOutput() {
  if (outputError === undefined || outputError.code === "EPIPE") return 0;
  process.stderr.write(`agentos-mcp: The output could not be written: ${outputError.message}\n`);
  return 1;
}

/**
 * The terminal we were started on is gone. We end as any program does then: by the signal. An exit
 * would make Node give the terminal its settings back, which older ones do not survive.
 */
function dieOfHangUp() {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  // Where SIGHUP is ignored, as under nohup.
  process.kill(process.pid, "SIGKILL");
}
