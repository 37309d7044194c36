import { isKernelError, KernelError, type Stat } from "../../../kernel/index.ts";
import type { MountHolds, MountNode, MountResult, MountWish } from "../../wire/mount-requests.ts";
import { ROOT_NODE } from "../../wire/mount-requests.ts";
import { KnownEntries } from "./known-entries.ts";
import { PendingHolds } from "./pending-holds.ts";
import { ServedInode, type Stamp } from "./served-inode.ts";

/** The answer's bytes are put into `into`, if they fit. */
export interface AskBytes {
  readonly body?: Uint8Array | undefined;
  readonly into?: Uint8Array | undefined;
}

/** How the server is asked: one call of the mount. */
export type AskServer = (
  wish: MountWish,
  more: AskBytes & { readonly holds: MountHolds },
) => Promise<{ readonly value: MountResult; readonly body: Uint8Array }>;

export interface ServedFilesParts {
  readonly ask: AskServer;
  readonly rootIno: number;
  readonly now: () => number;
  /** Counts what may have changed files outside this VM: the end of a command of the host's, say. */
  readonly outsideEpoch: () => number;
  /** Calls back in a few milliseconds. */
  readonly later: (act: () => void) => void;
}

/**
 * How long names, attributes and content are taken for true, as FUSE has it by default: the sandbox may
 * change them at any time. After a command of the host's they are old at once.
 */
const FRESH_MS = 1000;

/** The files of one mount that this cell knows: the same object for the same file. */
export class ServedFiles {
  readonly root: ServedInode;
  readonly #parts: ServedFilesParts;
  readonly #byNode = new Map<number, WeakRef<ServedInode>>();
  readonly #forgotten = new FinalizationRegistry((node: number) => {
    if (this.#byNode.get(node)?.deref() === undefined) this.#byNode.delete(node);
  });
  readonly #entries = new KnownEntries();
  readonly #holds = new PendingHolds();
  #changes = 0;
  #isTelling = false;

  constructor(parts: ServedFilesParts) {
    this.#parts = parts;
    this.root = new ServedInode(ROOT_NODE, { ino: parts.rootIno, kind: "directory" });
    this.#byNode.set(ROOT_NODE, new WeakRef(this.root));
  }

  find(node: number): ServedInode | undefined {
    return this.#byNode.get(node)?.deref();
  }

  /** Asks the server. Files that it has forgotten the numbers of are found again by their names, once. */
  async ask(
    inodes: readonly ServedInode[],
    wish: () => MountWish,
    bytes: AskBytes = {},
  ): Promise<{ readonly value: MountResult; readonly body: Uint8Array }> {
    try {
      return await this.#ask(wish(), bytes);
    } catch (error) {
      if (!isKernelError(error, "ESTALE")) throw error;
      for (const inode of inodes) await this.#findAgain(inode);
      return this.#ask(wish(), bytes);
    }
  }

  /** The server is told before whatever is asked from now on. */
  keep(inode: ServedInode, what: keyof MountHolds): void {
    this.#holds.add(inode, what);
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#parts.later(() => {
      this.#isTelling = false;
      // What is not held may be lost; whoever uses it is told.
      if (!this.#holds.isEmpty) this.#ask({ call: "none" }, {}).catch(() => undefined);
    });
  }

  /** The file that was found at a name, with what is known of it since `stamp`. */
  take(found: MountNode, parent: ServedInode, name: string, stamp: Stamp): ServedInode {
    const known = this.find(found.node);
    const isKnown = known?.kind === found.stat.kind && known.ino === found.stat.ino;
    const inode = isKnown ? known : new ServedInode(found.node, found.stat);
    if (inode === this.root) return inode;
    if (!isKnown) this.#remember(inode);
    inode.parent = parent;
    inode.name = name;
    this.learn(inode, found.stat, stamp);
    this.#entries.keep({ parent, name, inode, stamp });
    return inode;
  }

  /** What was found there a moment ago. */
  findEntry(parent: ServedInode, name: string): ServedInode | undefined {
    const entry = this.#entries.find(parent, name);
    return entry !== undefined && this.#isRecent(entry.stamp) ? entry.inode : undefined;
  }

  /** A name is made, moved or removed: what was known of the directory and of what it named is old. */
  nameChanged(parent: ServedInode, name: string): void {
    const named = this.#entries.forget(parent, name);
    if (named !== undefined) this.changed(named);
    this.changed(parent);
  }

  learn(inode: ServedInode, stat: Stat, stamp: Stamp): void {
    // What was asked before a change, and answered after it, may be of either time: it is not fresh.
    const isCurrent =
      stamp.changes === inode.changes ||
      (stamp.changes === undefined && stamp.allChanges === this.#changes);
    inode.known = { stat, stamp: isCurrent ? { ...stamp, changes: inode.changes } : stamp };
  }

  changed(inode: ServedInode): void {
    inode.changes += 1;
    this.#changes += 1;
  }

  stamp(inode?: ServedInode): Stamp {
    const changes = inode?.changes;
    const epoch = this.#parts.outsideEpoch();
    return { atMs: this.#parts.now(), epoch, changes, allChanges: this.#changes };
  }

  isFresh(inode: ServedInode, stamp: Stamp): boolean {
    return stamp.changes === inode.changes && this.#isRecent(stamp);
  }

  #ask(wish: MountWish, bytes: AskBytes): ReturnType<AskServer> {
    return this.#parts.ask(wish, { ...bytes, holds: this.#holds.take() });
  }

  #isRecent({ epoch, atMs }: Stamp): boolean {
    return epoch === this.#parts.outsideEpoch() && this.#parts.now() - atMs < FRESH_MS;
  }

  #remember(inode: ServedInode): void {
    this.#byNode.set(inode.node, new WeakRef(inode));
    this.#forgotten.register(inode, inode.node);
  }

  /** ESTALE when its name leads elsewhere by now. */
  async #findAgain(inode: ServedInode): Promise<void> {
    const { parent, name } = inode;
    if (parent === undefined) return;
    const wish = (): MountWish => ({ call: "lookup", at: { node: parent.node, name } });
    const { found } = (await this.ask([parent], wish)).value;
    if (found === undefined || found.stat.ino !== inode.ino || found.stat.kind !== inode.kind) {
      throw new KernelError("ESTALE");
    }
    if (found.node === inode.node) return;
    inode.node = found.node;
    if (this.find(found.node) === undefined) this.#remember(inode);
  }
}
