/** Files for results that are too long to be shown: ~/.agentos/results, the newest ones kept. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_RDONLY,
  O_WRONLY,
  type Sys,
} from "../../kernel/index.ts";
import { writeAll } from "./write-all.ts";

/** Results that are kept; older ones are removed when one more is written. */
const KEPT = 50;
const LOOKED_AT = 1000;
const OURS = /^\d{8}T\d{6}-\d+-[^/]*\.\w+$/;

export interface ResultFile {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Fails with a KernelError. */
export async function createResultFile(
  sys: Sys,
  title: string,
  extension: string,
): Promise<ResultFile> {
  const home = (await sys.environ()).get("HOME") ?? "";
  const base = home.startsWith("/") ? `${home === "/" ? "" : home}/.agentos` : "/tmp/.agentos";
  const folder = `${base}/results`;
  for (const path of [base, folder]) await makeFolder(sys, path);
  await removeOldest(sys, folder);
  const time = timeName((await sys.clock()).nowMs);
  const path = `${folder}/${time}-${await sys.getpid()}-${title}.${extension}`;
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
  return {
    path,
    write: (bytes) => writeAll(sys, fd, bytes),
    close: () => sys.close(fd),
  };
}

async function makeFolder(sys: Sys, path: string): Promise<void> {
  try {
    await sys.mkdir(path, 0o700);
  } catch (error) {
    if (!isKernelError(error, "EEXIST")) throw error;
  }
}

/** Names begin with their time, so that their order is their age. */
async function removeOldest(sys: Sys, folder: string): Promise<void> {
  const fd = await sys.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    const entries = await sys.readdir(fd, LOOKED_AT);
    const names = entries.map(({ name }) => name).filter((name) => OURS.test(name));
    for (const name of names.toSorted().slice(0, Math.max(0, names.length - KEPT + 1))) {
      await removeFile(sys, `${folder}/${name}`);
    }
  } finally {
    await sys.close(fd);
  }
}

/** Another command may have removed it, or it may belong to somebody else. */
async function removeFile(sys: Sys, path: string): Promise<void> {
  try {
    await sys.unlink(path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** `20261116T141300`, in UTC. */
function timeName(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}
