import { type FileSystem, Policy } from "../../src/kernel/index.ts";
import { MountService } from "../../src/vm/broker/mounts/mount-service.ts";
import { ContentCache } from "../../src/vm/filesystems/served/content-cache.ts";
import { PictureCache } from "../../src/vm/filesystems/served/picture-cache.ts";
import {
  type ServedCaches,
  ServedFileSystem,
} from "../../src/vm/filesystems/served/served-file-system.ts";
import type { AskServer } from "../../src/vm/filesystems/served/served-files.ts";
import { mountParams } from "../../src/vm/wire/parse-mount-request.ts";

export interface ServedPair {
  readonly served: ServedFileSystem;
  readonly service: MountService;
  /** Calls that were asked, in order. */
  readonly asked: string[];
  readonly caches: ServedCaches;
  /** The host may have changed something. */
  readonly outsideChanged: () => void;
}

/** A file system served by a broker's service to a cell's driver, through the wire's schema. */
export function serveInProcess(
  fileSystem: FileSystem,
  {
    now = () => performance.now(),
    policy = new Policy({ fs: "allow" }),
    isReadOnly = false,
    timeoutMs = 30_000,
    entries = 10_000,
    contentBytes = 1 << 22,
  } = {},
): ServedPair {
  const at = "/mnt";
  const mounts = [{ at, fileSystem, isReadOnly, timeoutMs }];
  const service = new MountService({
    mounts,
    policy,
    canAsk: false,
    tell: ({ node, changes }) => served.tellChanges(node, changes),
  });
  const asked: string[] = [];
  let epoch = 0;
  const ask: AskServer = async (request, { body, holds }) => {
    asked.push(request.call);
    const sent: unknown = JSON.parse(JSON.stringify({ mount: 0, request, ...holds }));
    const reply = await service.call(mountParams.parse(sent), body?.slice() ?? new Uint8Array(0));
    const copy = { value: JSON.parse(JSON.stringify(reply.value)), body: reply.body.slice() };
    reply.sent?.();
    return copy;
  };
  const caches = {
    pictures: new PictureCache(entries),
    contents: new ContentCache(contentBytes),
  };
  const canFollow = fileSystem.follow !== undefined;
  const mount = {
    at,
    type: fileSystem.type,
    canFollow,
    isReadOnly: isReadOnly || fileSystem.isReadOnly,
    rootIno: fileSystem.root.ino,
  };
  const served: ServedFileSystem = new ServedFileSystem({
    mount,
    ask,
    now,
    outsideEpoch: () => epoch,
    later: (act) => void setImmediate(act),
    caches,
  });
  const outsideChanged = (): void => {
    epoch += 1;
  };
  return { served, service, asked, outsideChanged, caches };
}
