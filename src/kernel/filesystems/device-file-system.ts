import { KernelError } from "../abi/kernel-error.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { KernelHost } from "../host.ts";
import type { Limits } from "../limits/limits.ts";
import { makeDevice, PTMX_DEVICE, TTY_DEVICE } from "../pty/device-numbers.ts";
import type { Inode } from "../vfs/file-system.ts";
import type { DeviceNode } from "./devices/device-node.ts";
import { MemoryDevice, type MemoryDeviceKind } from "./devices/memory-device.ts";
import { fullKind, nullKind, randomKind, zeroKind } from "./devices/memory-device-kinds.ts";
import { MemoryFileSystem } from "./memory-file-system.ts";

export interface DeviceFileSystemOptions {
  readonly host: Pick<KernelHost, "now" | "random">;
  /** What files that guests make here, as in /dev/shm, count against. */
  readonly limits: Limits;
}

export interface Device {
  readonly rdev: number;
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Called for each opening, with access mode and status flags. */
  open(flags: number, node: DeviceNode): OpenFile;
}

/**
 * /dev as devtmpfs has it: the memory devices of mem(4), the nodes of terminals (which the VFS opens
 * by their numbers), and room for files in /dev/shm. A device that root makes with a number known
 * here opens as that device.
 */
export class DeviceFileSystem extends MemoryFileSystem {
  readonly #devices = new Map<number, { readonly name: string; readonly device: Device }>();

  constructor({ host, limits }: DeviceFileSystemOptions) {
    super({ now: () => host.now(), limits, type: "devtmpfs" });
    const random = randomKind((into) => host.random(into));
    this.#addMemoryDevice("null", 3, nullKind);
    this.#addMemoryDevice("zero", 5, zeroKind);
    this.#addMemoryDevice("full", 7, fullKind);
    this.#addMemoryDevice("random", 8, random);
    this.#addMemoryDevice("urandom", 9, random);
    this.seed([
      { path: "/tty", kind: "device", rdev: TTY_DEVICE, mode: 0o666, gid: TTY_GID },
      { path: "/ptmx", kind: "device", rdev: PTMX_DEVICE, mode: 0o666, gid: TTY_GID },
      { path: "/pts", kind: "directory" },
      { path: "/shm", kind: "directory", mode: 0o1777 },
      { path: "/fd", kind: "symlink", target: "/proc/self/fd" },
      { path: "/stdin", kind: "symlink", target: "/proc/self/fd/0" },
      { path: "/stdout", kind: "symlink", target: "/proc/self/fd/1" },
      { path: "/stderr", kind: "symlink", target: "/proc/self/fd/2" },
    ]);
  }

  /** Adds a device under a name in /dev. Fails with EEXIST for a name that is taken. */
  addDevice(name: string, device: Device): void {
    const { rdev, mode, uid = 0, gid = 0 } = device;
    this.seed([{ path: `/${name}`, kind: "device", rdev, mode, uid, gid }]);
    this.#devices.set(rdev, { name, device });
  }

  override async openDevice(inode: Inode, flags: number): Promise<OpenFile> {
    const { rdev } = await this.stat(inode);
    const found = this.#devices.get(rdev);
    if (found === undefined) throw new KernelError("ENXIO");
    return found.device.open(flags, {
      path: `/dev/${found.name}`,
      stat: async () => this.stat(inode),
    });
  }

  #addMemoryDevice(name: string, minor: number, kind: MemoryDeviceKind): void {
    const open: Device["open"] = (flags, node) => new MemoryDevice(flags, node, kind);
    this.addDevice(name, { rdev: makeDevice(MEMORY_MAJOR, minor), mode: 0o666, open });
  }
}

/** Linux's MEM_MAJOR, see Documentation/admin-guide/devices.txt. */
const MEMORY_MAJOR = 1;
/** The group `tty`. */
const TTY_GID = 5;
