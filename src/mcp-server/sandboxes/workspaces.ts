// The directories of the host that VMs share with their sandboxes: one for each VM, for as long as it lives.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findHostIds, isServerAlive, readServerMark } from "../../sandbox-escalation/index.ts";
import { type Disk, HostFolder } from "../../vm/index.ts";

export interface Workspace {
  readonly path: string;
  readonly files: HostFolder;
}

export class Workspaces {
  readonly #directory: string;
  readonly #limitBytes: number;
  readonly #disk: Disk;
  readonly #open = new Map<string, Workspace>();

  /** Those of other servers lie beside ours. */
  constructor(disk: Disk, directory: string, limitBytes: number) {
    this.#disk = disk;
    this.#directory = directory;
    this.#limitBytes = limitBytes;
  }

  async make(vm: string): Promise<Workspace> {
    const path = join(this.#own, `${vm}-${randomBytes(4).toString("hex")}`);
    await mkdir(path, { recursive: true, mode: 0o700 });
    const owner = findHostIds();
    if (process.geteuid?.() === 0) await chown(path, owner.uid, owner.gid);
    const files = await HostFolder.open(this.#disk, {
      path,
      owner,
      limitBytes: this.#limitBytes,
    });
    const workspace = { path, files };
    this.#open.set(path, workspace);
    return workspace;
  }

  /** What a sandbox of that workspace shows. */
  filesOf(path: string): HostFolder | undefined {
    return this.#open.get(path)?.files;
  }

  /** Nothing runs in it any more. */
  async remove({ path, files }: Workspace): Promise<void> {
    this.#open.delete(path);
    await files.close();
    await removeTree(path);
  }

  /** Removes what servers that are gone have left. */
  async removeLeftovers(): Promise<void> {
    const marks = await readdir(this.#directory).catch(() => []);
    for (const mark of marks) {
      if (!isServerAlive(mark)) await removeTree(join(this.#directory, mark));
    }
  }

  async close(): Promise<void> {
    await removeTree(this.#own);
  }

  get #own(): string {
    return join(this.#directory, readServerMark());
  }
}

/** Directories may be such that not even their owner can enter them. Links are removed, not followed. */
async function removeTree(path: string): Promise<void> {
  await run("rm", "-rf", "--", path).catch(async () => {
    await run("chmod", "-R", "u+rwx", "--", path);
    await run("rm", "-rf", "--", path);
  });
}

/** rm(1) has done all it can when it fails; Node's own goes on in the background. */
async function run(command: string, ...argv: string[]): Promise<void> {
  await promisify(execFile)(command, argv);
}
