// The whole output of commands as MCP resources: `vm://{vm_id}/exec/{exec_id}/stdout` and `…/stderr`.
import {
  type ListResourcesResult,
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { OutputLog, Vms } from "../../vm/index.ts";
import { excerpt } from "../presentation/excerpt.ts";
import { type LogAddress, type LogStream, logUri, parseLogUri } from "../presentation/log-uri.ts";

/** A resource comes in one message; more of it comes through fs_read, in parts. */
const readLimitBytes = 1024 * 1024;
const mostListed = 100;

/** Offers the logs of all commands that the VMs still know. */
export function registerExecLogs(server: McpServer, vms: () => Promise<Vms>): void {
  const template = new ResourceTemplate("vm://{vm_id}/exec/{exec_id}/{stream}", {
    list: async () => listLogs(await vms()),
    complete: {
      vm_id: async (start) =>
        (await vms())
          .list()
          .map(({ id }) => id)
          .filter((id) => id.startsWith(start)),
      stream: (start) => ["stdout", "stderr"].filter((name) => name.startsWith(start)),
    },
  });
  const config = {
    title: "Output of a command",
    description:
      "All that a command has written to stdout or stderr; long logs without the middle.",
    mimeType: "text/plain",
  };
  server.registerResource("exec_log", template, config, async (uri) => {
    const address = parseLogUri(uri.href);
    const log = address === undefined ? undefined : findLog(await vms(), address);
    if (log === undefined) throw new ResourceNotFoundError(uri.href);
    return await readLog(uri.href, log);
  });
}

/** The newest logs that hold anything. */
function listLogs(vms: Vms): ListResourcesResult {
  const found = vms.list().flatMap((vm) =>
    vm.info().execs.flatMap((exec) =>
      (["stdout", "stderr"] as const)
        .filter((stream) => exec[stream].totalBytes > 0)
        .map((stream) => ({
          startedAt: exec.startedAt,
          resource: describeLog(vm.id, exec, stream),
        })),
    ),
  );
  found.sort((one, other) => other.startedAt - one.startedAt);
  return { resources: found.slice(0, mostListed).map(({ resource }) => resource) };
}

interface ListedExec {
  readonly id: string;
  readonly command: string;
}

function describeLog(
  vmId: string,
  { id, command }: ListedExec,
  stream: LogStream,
): ListResourcesResult["resources"][number] {
  return {
    uri: logUri({ vmId, execId: id, stream }),
    name: `${vmId}/${id}/${stream}`,
    title: `${stream} of ${command.slice(0, 60)}`,
    mimeType: "text/plain",
  };
}

function findLog(vms: Vms, { vmId, execId, stream }: LogAddress): OutputLog | undefined {
  return vms.find(vmId)?.findExec(execId)?.[stream];
}

/** Text where it is text; else the first bytes as they are. */
async function readLog(uri: string, log: OutputLog): Promise<ReadResourceResult> {
  const span = { start: 0, end: log.totalBytes };
  const note = (omitted: number): string => `[… ${omitted} bytes omitted; fs_read reads all …]`;
  const { text, isBinary } = await excerpt(log, span, readLimitBytes, note);
  if (!isBinary) return { contents: [{ uri, mimeType: "text/plain", text }] };
  const bytes = Buffer.from(await log.read(0, readLimitBytes));
  const mimeType = "application/octet-stream";
  return { contents: [{ uri, mimeType, blob: bytes.toString("base64") }] };
}
