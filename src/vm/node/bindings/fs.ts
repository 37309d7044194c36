// internalBinding('fs'): node_file.cc's functions, by what they do in the files of fs/.
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { attributes } from "./fs/attributes.ts";
import { contents } from "./fs/contents.ts";
import { copies } from "./fs/copies.ts";
import { directories } from "./fs/directories.ts";
import { throwingAsNode } from "./fs/error-frames.ts";
import { FileHandle } from "./fs/file-handle.ts";
import { CpDirJob, ReadFileJob, WriteFileJob } from "./fs/jobs.ts";
import { legacyMainResolve } from "./fs/main-resolve.ts";
import { names } from "./fs/names.ts";
import { FSReqCallback, kUsePromises } from "./fs/operation.ts";
import { StatWatcher } from "./fs/stat-watcher.ts";
import { bigintStatFsValues, bigintStatValues, statFsValues, statValues } from "./fs/stats.ts";

export const fs = (): Binding => ({
  ...staticsOf("fs"),
  statValues,
  bigintStatValues,
  statFsValues,
  bigintStatFsValues,
  kUsePromises,
  ...throwingAsNode({
    ...attributes,
    ...contents,
    ...copies,
    ...directories,
    ...names,
    legacyMainResolve: (...args: [string, unknown, unknown]) => legacyMainResolve(...args),
    rmSync: (...args: Parameters<typeof names.rmSync>) => names.rmSync(...args),
    cpSyncCheckPaths: (...args: Parameters<typeof copies.cpSyncCheckPaths>) =>
      copies.cpSyncCheckPaths(...args),
  }),
  FSReqCallback,
  FileHandle,
  StatWatcher,
  ReadFileJob,
  WriteFileJob,
  CpDirJob,
});
