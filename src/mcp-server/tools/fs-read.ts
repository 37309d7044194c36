import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { Actor, Stat, Vm, Vms } from "../../vm/index.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool } from "../mcp-tool.ts";
import { kindOf } from "../presentation/file-kind.ts";
import { type LogAddress, parseLogUri } from "../presentation/log-uri.ts";
import { defaultOutputBytes } from "../presentation/output-limit.ts";
import { presentBytes, presentImage } from "../presentation/present-bytes.ts";
import { presentDirectory } from "../presentation/present-directory.ts";
import { presentLines } from "../presentation/present-lines.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { asRoot, integer, optionalVmId } from "./arguments.ts";
import { guestPath } from "./guest-path.ts";

/** Lines are counted from the start, so far ones cost time. */
const scanLimitBytes = 256 * 1024 * 1024;
const startBytes = 8192;
const maxLines = 1_000_000;

interface Wish {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly isBase64: boolean;
  readonly as: Actor;
  readonly signal: AbortSignal;
}

/** Something with bytes at offsets: a file, or the log of a command's output. */
interface Source {
  readonly name: string;
  readonly sizeBytes: number;
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

export const fsRead = defineTool({
  name: "fs_read",
  title: "Read a file",
  description:
    "Reads a text file or image, or lists a directory. A log_uri works as path, too. " +
    "Long files are returned in parts.",
  inputSchema: z.strictObject({
    vm_id: optionalVmId,
    path: z.string(),
    offset: integer(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("First line to read, counted from 1"),
    limit: integer(1, maxLines).optional().describe("Number of lines"),
    encoding: z
      .enum(["utf8", "base64"])
      .optional()
      .describe("base64 reads any file; offset (from 0) and limit are then bytes"),
    as_root: asRoot,
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler({ vm_id, path, offset, limit, encoding, as_root }, call) {
    const as = as_root === true ? "root" : "user";
    const wish = {
      offset,
      limit,
      isBase64: encoding === "base64",
      as,
      signal: call.signal,
    } as const;
    const log = parseLogUri(path);
    if (log !== undefined)
      return await readSource(await logSource(await call.vms(), log), { ...wish });
    const vm = await chosenVm(call, vm_id);
    const result = await readPath(vm, guestPath(path, as), wish);
    return withNotice(call.connection.notices.take(vm), result);
  },
});

async function readPath(vm: Vm, path: string, wish: Wish): Promise<CallToolResult> {
  const { as, offset = 1, limit = maxLines } = wish;
  const stat: Stat = await vm.files.stat(path, { as });
  if (stat.kind === "directory") {
    const entries = await vm.files.list(path, { as });
    return presentDirectory(path, entries, { offset, limit });
  }
  if (stat.kind !== "file") {
    throw new HostError("NOT_READABLE", { path, kind: kindWords.get(stat.kind) ?? stat.kind });
  }
  const read = (at: number, length: number): Promise<Uint8Array> =>
    vm.files.read(path, { offset: at, length, as });
  return await readSource({ name: path, sizeBytes: stat.size, read }, wish);
}

async function readSource(source: Source, wish: Wish): Promise<CallToolResult> {
  const { offset, limit, isBase64, signal } = wish;
  const limitBytes = defaultOutputBytes;
  if (isBase64) return await presentBytes(source, { offset: offset ?? 0, limit, limitBytes });
  const kind = kindOf(await source.read(0, startBytes));
  if (typeof kind === "object") return await presentImage(source, kind.image);
  if (kind === "binary") {
    const text = `[${source.name} is binary, ${source.sizeBytes} bytes. Read it with encoding base64, or with vm_exec.]`;
    return { content: [{ type: "text", text }] };
  }
  return await presentLines(chunksOf(source, signal), {
    name: source.name,
    offset: Math.max(1, offset ?? 1),
    limit: limit ?? maxLines,
    limitBytes,
    scanLimitBytes,
  });
}

async function* chunksOf(source: Source, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunkBytes = 256 * 1024;
  for (let at = 0; ; ) {
    signal.throwIfAborted();
    const chunk = await source.read(at, chunkBytes);
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

async function logSource(vms: Vms, { vmId: id, execId, stream }: LogAddress): Promise<Source> {
  const log = vms.get(id).getExec(execId)[stream];
  await log.settled();
  const name = `${stream} of command ${execId}`;
  return { name, sizeBytes: log.keptBytes, read: (offset, length) => log.read(offset, length) };
}

const kindWords: ReadonlyMap<string, string> = new Map([
  ["fifo", "a FIFO"],
  ["socket", "a socket"],
  ["device", "a device"],
  ["anonymous", "an inotify instance"],
]);
