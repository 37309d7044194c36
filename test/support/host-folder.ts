// A folder of the host for tests of software, and everything that stands between it and a file
// system, without the wire.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PermissionsConfig, Policy } from "../../src/kernel/index.ts";
import type { FolderReader } from "../../src/vm/broker/software/folder-reader.ts";
import { SoftwareService } from "../../src/vm/broker/software/software-service.ts";
import {
  HostDirectoryCaches,
  HostDirectoryFileSystem,
} from "../../src/vm/filesystems/host-directory/host-directory-file-system.ts";
import { decodePage, type FolderEntry } from "../../src/vm/wire/listing.ts";

/** Files by path: text, `{ link }`, or bytes. */
type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

export class HostFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-software-")));

  constructor(tree: Tree = {}) {
    this.add(tree);
  }

  add(tree: Tree): void {
    for (const [name, content] of Object.entries(tree)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === "object" && "link" in content) symlinkSync(content.link, path);
      else writeFileSync(path, content);
    }
  }

  addFifo(name: string): void {
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(this.path, name)]);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface ServedOptions {
  readonly permissions?: PermissionsConfig;
  readonly canAsk?: boolean;
  readonly entries?: number;
  readonly bytes?: number;
}

/** A folder behind the broker's service, as the file system of a VM; counts what is asked. */
export class ServedFolder {
  readonly service: SoftwareService;
  readonly fs: HostDirectoryFileSystem;
  readonly caches: HostDirectoryCaches;
  lists = 0;
  reads = 0;

  private constructor(reader: FolderReader, root: Uint8Array, options: ServedOptions) {
    const { permissions = {}, canAsk = false, entries = 10_000, bytes = 1 << 22 } = options;
    const policy = new Policy(permissions);
    this.service = new SoftwareService(reader, {
      software: [{ root, at: "/opt/software/x" }],
      policy,
      canAsk,
    });
    this.caches = new HostDirectoryCaches({ entries, bytes });
    const host = {
      list: (path: string, room: (count: number) => void) => this.#list(path, room),
      read: async (path: string, offset: number, length: number) => {
        this.reads += 1;
        const wish = { folder: 0, path, offset, length };
        const { value, body } = await this.service.read(wish);
        return { ...value, bytes: body };
      },
    };
    this.fs = new HostDirectoryFileSystem(host, this.caches, 0);
  }

  static async open(
    reader: FolderReader,
    folder: HostFolder,
    options: ServedOptions = {},
  ): Promise<ServedFolder> {
    return new ServedFolder(reader, await reader.open(folder.path), options);
  }

  async #list(path: string, room: (count: number) => void): Promise<FolderEntry[]> {
    const entries: FolderEntry[] = [];
    for (let from = 0; ; ) {
      this.lists += 1;
      const { value, body } = await this.service.list({ folder: 0, path, from });
      entries.push(...decodePage(body));
      room(entries.length);
      if (value.next === undefined) return entries;
      from = value.next;
    }
  }
}
