/** Puts the host's software into a VM that boots: mounts the folders and links what they offer. */
import { getHeapStatistics } from "node:v8";
import { isKernelError, type Kernel, type Sys } from "../../kernel/index.ts";
import {
  type HostDirectory,
  HostDirectoryCaches,
  HostDirectoryFileSystem,
} from "../filesystems/host-directory/host-directory-file-system.ts";
import type { BrokerReply } from "../wire/broker-methods.ts";
import { decodePage, type FolderEntry } from "../wire/listing.ts";
import type { SoftwareMount } from "../wire/messages.ts";
import { exists, kindOf, mountAt } from "./mount-at.ts";
import type { ServerRequests } from "./server-requests.ts";

/** What a cell takes by itself; V8's limit is at least this much above the one it was told. */
const OWN_BYTES = 100 << 20;
/** Parts of the rest: for contents, and for one entry of a listing, which takes some 200 bytes. */
const CONTENT_PART = 16;
const ENTRY_PART_BYTES = 1536;
const ENTRIES = { least: 10_000, most: 200_000 };
/** Enough for a few readers with what is read ahead for them, and for any package. */
const CONTENT_BYTES = { least: 4 << 20, most: 32 << 20 };
/** Programs linked into the VM; the others are run by their paths. */
const PROGRAMS_LIMIT = 1000;

/** The place of packages that scripts anywhere in the VM find, see Node's modules, "Loading from node_modules". */
const PACKAGES = "/node_modules";
const PROGRAMS = "/usr/local/bin";

/**
 * Mounts each folder and links its programs. Fails with a KernelError about the place when nothing
 * can be mounted there. What cannot be linked is logged: the software is there all the same.
 */
export async function mountSoftware(
  kernel: Kernel,
  requests: ServerRequests,
  software: readonly SoftwareMount[],
): Promise<void> {
  const freeBytes = getHeapStatistics().heap_size_limit - OWN_BYTES;
  const caches = new HostDirectoryCaches({
    entries: within(ENTRIES, freeBytes / ENTRY_PART_BYTES),
    bytes: within(CONTENT_BYTES, freeBytes / CONTENT_PART),
  });
  const sys = kernel.sysOf(kernel.init);
  for (const [folder, { at }] of software.entries()) {
    const host = directoryOf(requests, folder);
    await mountAt(kernel, at, new HostDirectoryFileSystem(host, caches, kernel.host.now()));
  }
  const offered = new Offers(sys);
  for (const { at } of software) {
    try {
      await offered.link(at);
    } catch (cause) {
      if (!isKernelError(cause)) throw cause;
      kernel.host.log({ level: "warning", message: `the programs of ${at} are not linked`, cause });
    }
  }
}

function within({ least, most }: { least: number; most: number }, wanted: number): number {
  return Math.min(most, Math.max(least, Math.floor(wanted)));
}

function directoryOf(requests: ServerRequests, folder: number): HostDirectory {
  return {
    list: async (path, room) => {
      const entries: FolderEntry[] = [];
      let from: number | undefined = 0;
      while (from !== undefined) {
        const page: BrokerReply<"software.list"> = await requests.request("software.list", {
          folder,
          path,
          from,
        });
        entries.push(...decodePage(page.body));
        room(entries.length);
        from = page.value.next;
      }
      return entries;
    },
    read: async (path, offset, length) => {
      const wanted = { folder, path, offset, length };
      const { value, body } = await requests.request("software.read", wanted);
      return { ...value, bytes: body };
    },
  };
}

/** Links to what folders offer. A name that is taken stays what it is. */
class Offers {
  readonly #sys: Sys;
  #programs = 0;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  async link(at: string): Promise<void> {
    const sys = this.#sys;
    const packages = at.endsWith("/node_modules") ? at : `${at}/node_modules`;
    if (await isDirectory(sys, packages)) {
      if (!(await exists(sys, PACKAGES))) await sys.symlink(packages, PACKAGES);
      await this.#linkPrograms(`${packages}/.bin`);
    }
    if (packages !== at) await this.#linkPrograms(`${at}/bin`);
  }

  async #linkPrograms(directory: string): Promise<void> {
    const sys = this.#sys;
    if (!(await isDirectory(sys, directory))) return;
    const fd = await sys.open(directory, 0);
    for (let page = await sys.readdir(fd); page.length > 0; page = await sys.readdir(fd)) {
      for (const { name } of page) {
        if (this.#programs >= PROGRAMS_LIMIT) return sys.close(fd);
        await this.#linkProgram(`${directory}/${name}`, name);
      }
    }
    return sys.close(fd);
  }

  /** Where a link leads is not looked at: that would fetch the directory of every program. */
  async #linkProgram(path: string, name: string): Promise<void> {
    const sys = this.#sys;
    const { kind, mode } = await sys.lstat(path);
    const isProgram = kind === "symlink" || (kind === "file" && (mode & 0o111) !== 0);
    if (!isProgram) return;
    for (const place of [PROGRAMS, "/usr/bin", "/usr/sbin"]) {
      if (await exists(sys, `${place}/${name}`)) return;
    }
    await sys.symlink(path, `${PROGRAMS}/${name}`);
    this.#programs += 1;
  }
}

async function isDirectory(sys: Sys, path: string): Promise<boolean> {
  return (await kindOf(sys, path)) === "directory";
}
