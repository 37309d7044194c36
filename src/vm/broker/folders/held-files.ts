import type { FileKind, Inode } from "../../../kernel/index.ts";
import { KernelError, KnownInodes } from "../../../kernel/index.ts";
import type { Disk } from "./disk.ts";
import type { FileFacts, HeldFile } from "./reach.ts";
import type { Step, Way } from "./way.ts";

/** One file of a host folder: what it is, and by which name it was last found. */
export class HostFile implements Inode {
  readonly ino: number;
  readonly kind: FileKind;
  readonly identity: string;
  /** Undefined for the root. */
  parent: HostFile | undefined;
  name: string;
  /** Held while others do not need the room. */
  fd: number | undefined = undefined;
  /** Calls that use the descriptor, and holders beyond names: neither lets it be closed. */
  uses = 0;
  holders = 0;
  /** What it was found with, for who asks in the same turn. */
  seen: Seen | undefined;
  /** On its way to being held. */
  opening: Promise<number> | undefined;

  constructor(facts: FileFacts, parent: HostFile | undefined, name: string) {
    this.ino = facts.ino;
    this.kind = facts.kind;
    this.identity = facts.identity;
    this.parent = parent;
    this.name = name;
  }
}

interface Seen {
  readonly facts: FileFacts;
  readonly turn: number;
  /** All of it, where that came with it. */
  readonly content?: Uint8Array | undefined;
}

/** Names on a way. One that is further from what is held has a descriptor above it opened, name by name: others have their turn. */
const STEPS_LIMIT = 16;
/** Descriptors that one folder holds though nobody uses them. */
const IDLE_LIMIT = 256;
/** Descriptors that are in use at one time. */
const BUSY_LIMIT = 8192;
/** Descriptors of one folder that are not in use, held or not: all VMs share those of the server. */
const OPEN_LIMIT = 1024;

/**
 * The files of one host folder that somebody knows: the same object for the same file. Each has a
 * descriptor while it is used; the least used are closed, and found again by their names.
 */
export class HeldFiles {
  readonly #disk: Disk;
  readonly #known = new KnownInodes<string, HostFile>();
  /** Those that have a descriptor, least used first. */
  readonly #open = new Set<HostFile>();
  readonly #seen: HostFile[] = [];
  #busy = 0;
  readonly root: HostFile;

  constructor(disk: Disk, root: HeldFile) {
    this.#disk = disk;
    this.root = this.take(root, undefined, "");
    this.retain(this.root);
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** The file that was found at a name, its descriptor ours from now on. */
  take(
    held: HeldFile & { readonly content?: Uint8Array | undefined },
    parent: HostFile | undefined,
    name: string,
  ): HostFile {
    const file = this.note(held.facts, parent, name);
    file.seen = { facts: held.facts, turn: this.#disk.turn, content: held.content };
    this.#forgetSeenSoon(file);
    if (file.fd === undefined) file.fd = held.fd;
    else this.#close(held.fd);
    this.#touch(file);
    return file;
  }

  /** The file that was seen at a name; it is not held. */
  note(facts: FileFacts, parent: HostFile | undefined, name: string): HostFile {
    const known = this.#known.get(facts.identity);
    if (known !== undefined) {
      known.parent = parent;
      known.name = name;
      return known;
    }
    const file = new HostFile(facts, parent, name);
    this.#known.set(file.identity, file);
    return file;
  }

  /** Calls with the file's descriptor. ENOENT when no name leads to it any more; ENFILE. */
  async use<T>(file: HostFile, step: (fd: number) => Promise<T>): Promise<T> {
    this.#begin(file);
    try {
      return await step(await this.#fdOf(file));
    } finally {
      this.#end(file);
    }
  }

  /** Calls with the ways to directories, each from one above it that has a descriptor and is near. As `use`. */
  async useWays<T>(
    directories: readonly HostFile[],
    step: (ways: readonly Way[]) => Promise<T>,
  ): Promise<T> {
    const begun: HostFile[] = [];
    try {
      const ways: Way[] = [];
      for (const directory of directories) {
        const { above, steps } = wayTo(directory);
        this.#begin(above);
        begun.push(above);
        ways.push({ held: await this.#fdOf(above), steps });
      }
      return await step(ways);
    } finally {
      for (const above of begun) this.#end(above);
    }
  }

  /** From now on the file is found whatever happens to its name, unless too many others are held. */
  retain(file: HostFile): void {
    file.holders += 1;
  }

  release(file: HostFile): void {
    file.holders -= 1;
    this.#makeRoom();
  }

  async close(): Promise<void> {
    const fds = [...this.#open].flatMap(({ fd }) => fd ?? []);
    for (const file of this.#open) file.fd = undefined;
    this.#open.clear();
    await Promise.all(fds.map((fd) => this.#disk.call("close", { fd })));
  }

  #begin(file: HostFile): void {
    if (this.#busy >= BUSY_LIMIT) throw new KernelError("ENFILE");
    this.#busy += 1;
    file.uses += 1;
  }

  #end(file: HostFile): void {
    this.#busy -= 1;
    file.uses -= 1;
    this.#makeRoom();
  }

  #fdOf(file: HostFile): number | Promise<number> {
    if (file.fd !== undefined) {
      this.#touch(file);
      return file.fd;
    }
    file.opening ??= this.#reopen(file).finally(() => {
      file.opening = undefined;
    });
    return file.opening;
  }

  async #reopen(file: HostFile): Promise<number> {
    const { parent, name, identity } = file;
    if (parent === undefined) throw new KernelError("EIO", undefined, "the folder is closed");
    const held = await this.use(parent, (directory) =>
      this.#disk.call("find", { directory, name, contentBytes: 0 }),
    );
    if (held?.facts.identity !== identity) {
      if (held !== undefined) this.#close(held.fd);
      throw new KernelError("ESTALE", undefined, "it is no longer where it was found");
    }
    if (file.fd !== undefined) this.#close(held.fd);
    else file.fd = held.fd;
    this.#touch(file);
    return file.fd;
  }

  /** What was seen is for who goes on in the same turn: later it may not be so any more. */
  #forgetSeenSoon(file: HostFile): void {
    this.#seen.push(file);
    if (this.#seen.length > 1) return;
    setImmediate(() => {
      for (const seen of this.#seen.splice(0)) seen.seen = undefined;
    });
  }

  #touch(file: HostFile): void {
    this.#open.delete(file);
    this.#open.add(file);
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#closeDownTo(IDLE_LIMIT, ({ holders }) => holders === 0);
    this.#closeDownTo(OPEN_LIMIT, (file) => file !== this.root);
  }

  #closeDownTo(limit: number, mayClose: (file: HostFile) => boolean): void {
    if (this.#open.size <= limit) return;
    for (const file of this.#open) {
      if (this.#open.size <= limit) return;
      if (file.uses > 0 || file.fd === undefined || !mayClose(file)) continue;
      this.#open.delete(file);
      this.#close(file.fd);
      file.fd = undefined;
    }
  }

  /** Calls are done in order: whoever uses the number has used it by then. */
  #close(fd: number): void {
    this.#disk.call("close", { fd }).catch(() => undefined);
  }
}

function wayTo(directory: HostFile): { readonly above: HostFile; readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let above = directory;
  while (above.fd === undefined && above.parent !== undefined && steps.length < STEPS_LIMIT) {
    const { name, identity, parent } = above;
    steps.push({ name, identity });
    above = parent;
  }
  return { above, steps: steps.reverse() };
}
