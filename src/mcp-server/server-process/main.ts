// Entry of the server process, started by connect/start-server.ts on the pinned Node:
// `node main.js <home> <build>`. Listens before it loads what it serves with.
import { enableCompileCache, flushCompileCache } from "node:module";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { readBuild } from "../build-id.ts";
import { openHome } from "../home.ts";
import { readSettings } from "../settings.ts";
import { claimHome } from "./claim-home.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import type { McpLink } from "./mcp-link.ts";
import { retireOthers } from "./retire-others.ts";
import { ServerLog } from "./server-log.ts";
import { ServerProcess } from "./server-process.ts";
import { SharedVms } from "./shared-vms.ts";

const [homeDirectory, buildId] = process.argv.slice(2);
if (homeDirectory === undefined || buildId === undefined) {
  process.stderr.write("usage: main.js <home directory> <build id>\n");
  process.exit(2);
}
await run(homeDirectory, buildId);

async function run(directory: string, build: string): Promise<void> {
  const home = openHome(directory);
  enableCompileCache(join(home.directory, "cache", build));
  const log = new ServerLog(home.logFile);
  const vms = new SharedVms({ log, outputDirectory: join(home.directory, "output", build) });
  const waiting: Socket[] = [];
  const listener = createServer((socket) => waiting.push(socket));
  const claim = await claimHome(home, build, listener);
  // Another server of this build is there: whoever started us finds it.
  if (claim === undefined) process.exit(0);
  log.info(`serves build ${build} on Node ${process.version}, socket ${claim.record.socket}`);

  const serving = import("./mcp-link.ts");
  const toolList = import("../tool-list.ts");
  const serveMcp = async (socket: Socket, id: number): Promise<McpLink> => {
    const [{ McpLink }, { tools }] = await Promise.all([serving, toolList]);
    return new McpLink(socket, {
      id,
      tools,
      vms: () => vms.get(),
      version: readBuild().version,
      serverRun: claim.record.key.slice(0, 8),
      logBug: (error) => log.error("an MCP connection", error),
      // Cells are started ahead of need, but not before the client has its first answer.
      onFirstSend: () => {
        vms.get().catch((error: unknown) => log.error("the VMs do not load", error));
      },
    });
  };
  const server = new ServerProcess({
    home,
    record: claim.record,
    listener,
    idleMs: readSettings(new Map(), process.env).idleMs,
    log,
    vms,
    serveMcp,
    onLeft: (reason) => process.exit(reason === "failed" ? 1 : 0),
  });
  listener.removeAllListeners("connection").on("connection", (socket) => server.accept(socket));
  for (const socket of waiting.splice(0)) server.accept(socket);
  process.on("SIGTERM", () => server.stop()).on("SIGINT", () => server.stop());
  process.on("uncaughtException", (error) => server.fail(error));
  await retireOthers(claim.others, (error, other) =>
    log.error(`server ${other.pid} does not retire`, error),
  );
  await clearLeftovers(home, [build, ...claim.others.map((other) => other.build)]);
  await serving;
  flushCompileCache();
}
