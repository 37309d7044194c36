// Entry of the server process, started by connect/start-server.ts on the pinned Node:
// `node main.js <home> <build>`. Listens before it loads what it serves with.
import { enableCompileCache, flushCompileCache } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { SharedApprovals } from "../approvals/shared-approvals.ts";
import { readBuild } from "../build-id.ts";
import { OwnVms } from "../clients/own-vms.ts";
import { LastDirectories } from "../clients/working-directories.ts";
import { findConfigFile, readIdleMs } from "../config/config-file.ts";
import { closeInherited } from "../connect/close-inherited.ts";
import { DirectTools } from "../direct-tools/direct-tools.ts";
import { mayHaveDirectTools } from "../direct-tools/may-have-direct-tools.ts";
import { openHome } from "../home.ts";
import type { McpTool } from "../mcp-tool.ts";
import { mayHaveSandboxes } from "../sandboxes/may-have-sandboxes.ts";
import { defaultIdleMs, readSettings } from "../settings.ts";
import { claimHome } from "./claim-home.ts";
import { clearLeftovers } from "./clear-leftovers.ts";
import { retireOthers } from "./retire-others.ts";
import { ServerLog } from "./server-log.ts";
import { ServerProcess, type ServerProcessOptions } from "./server-process.ts";
import { SharedVms } from "./shared-vms.ts";

closeInherited();
const [homeDirectory, buildId] = process.argv.slice(2);
if (homeDirectory === undefined || buildId === undefined) {
  process.stderr.write("usage: main.js <home directory> <build id>\n");
  process.exit(2);
}
await run(homeDirectory, buildId);

async function run(directory: string, build: string): Promise<void> {
  // Before the home is claimed there is nothing to close.
  let stop = (): void => process.exit(0);
  process.on("SIGTERM", () => stop()).on("SIGINT", () => stop());
  const home = openHome(directory);
  enableCompileCache(join(home.directory, "cache", build));
  const listener = createServer();
  const configFile = findConfigFile(home.directory, process.env);
  const claim = await claimHome(home, { build, config: configFile.path }, listener);
  // Another server of this build is there: whoever started us finds it.
  if (claim === undefined) process.exit(0);
  // No await until the server listens for connections: they come with the next turn.
  const settings = readSettings(new Map(), process.env);
  const { logLevel } = settings;
  const log = new ServerLog(home.logFile, logLevel === undefined ? {} : { level: logLevel });
  const approvals = new SharedApprovals({ homeDirectory: home.directory, log });
  const serverRun = claim.record.key.slice(0, 8);
  const vms = new SharedVms({ log, home, build, approvals, serverRun });
  const idleMs = settings.idleMs ?? readIdleMs(configFile) ?? defaultIdleMs;
  const server = new ServerProcess({
    home,
    record: claim.record,
    listener,
    idleMs,
    log,
    vms,
    approvals,
    serveMcp: mcpService({
      vms,
      approvals,
      configFile,
      log,
      serverRun,
      idleMs,
    }),
    onLeft: (reason) => process.exit(reason === "failed" ? 1 : 0),
  });
  stop = () => server.stop();
  listener.on("connection", (socket) => server.accept(socket));
  process.on("uncaughtException", (error) => server.fail(error));
  // Toolkits of the configuration run here: what one of them leaves behind must not end everybody's VMs.
  process.on("unhandledRejection", (reason) => log.error("a rejection nobody handled", reason));
  const { socket, config } = claim.record;
  log.info("serves", { build, node: process.version, socket, config });
  await retireOthers(claim.others, (error, other) =>
    log.error(`server ${other.pid} does not retire`, error),
  );
  await clearLeftovers(home, [build, ...claim.others.map((other) => other.build)]);
}

/** Only clients whose VMs have sandboxes see these. */
async function sandboxTools(): Promise<readonly McpTool[]> {
  return [(await import("../tools/sandbox-open.ts")).sandboxOpen];
}

async function ownTools(): Promise<readonly McpTool[]> {
  return [...(await import("../tool-list.ts")).tools, ...(await sandboxTools())];
}

interface McpParts {
  readonly vms: SharedVms;
  readonly approvals: SharedApprovals;
  readonly configFile: ReturnType<typeof findConfigFile>;
  readonly log: ServerLog;
  readonly serverRun: string;
  readonly idleMs: number;
}

/** Loads the MCP SDK, and serves connections with it once it is there. */
function mcpService(parts: McpParts): ServerProcessOptions["serveMcp"] {
  const { vms, approvals, configFile, log, serverRun, idleMs } = parts;
  const directTools = new DirectTools({
    mayHave: mayHaveDirectTools(configFile),
    load: () => vms.hostToolkits(),
    taken: async () => new Set((await ownTools()).map(({ name }) => name)),
    log: (line) => log.info(line),
  });
  const loading = Promise.all([
    import("./mcp-link.ts"),
    import("../tool-list.ts"),
    mayHaveSandboxes(configFile) ? sandboxTools() : [],
  ]);
  // The next server of this build loads it in half the time.
  loading.then(() => flushCompileCache()).catch((error: unknown) => log.error("no SDK", error));
  const { version } = readBuild();
  const lastDirectories = new LastDirectories();
  const ownVms = new OwnVms({
    idleMs,
    noteUnused: (vm) => vms.noteUnused(vm),
    onError: (error) => log.error("an unused VM", error),
  });
  return async (socket, client) => {
    const [{ McpLink }, { tools }, more] = await loading;
    return new McpLink(socket, {
      ...client,
      lastDirectories,
      ownVms,
      tools: [...tools, ...more],
      vms: () => vms.get(),
      ceilings: () => vms.ceilings(),
      configurationNotice: () => vms.configurationNotice(),
      approvals: () => approvals.get(),
      sandboxes: () => vms.sandboxes(),
      directTools,
      version,
      serverRun,
      logBug: (error) => log.error("an MCP connection", error),
      // Cells are started ahead of need, but not before the client has its first answer.
      onFirstSend: () => {
        vms.get().catch((error: unknown) => log.error("the VMs do not load", error));
      },
    });
  };
}
