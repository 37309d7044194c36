import { isKernelError, KernelError, KnownInodes, type Stat } from "../../../kernel/index.ts";
import type { MountCall, MountHolds, MountNode, MountResult } from "../../wire/mount-requests.ts";
import { decodeChanges, ROOT_NODE } from "../../wire/mount-requests.ts";
import { PendingHolds } from "./pending-holds.ts";
import { Picture } from "./picture.ts";
import type { PictureCache } from "./picture-cache.ts";
import { ServedInode, type Stamp } from "./served-inode.ts";

/** The answer's bytes are put into `into`, if they fit. */
export interface AskBytes {
  readonly body?: Uint8Array | undefined;
  readonly into?: Uint8Array | undefined;
}

/** How the server is asked: one call of the mount. */
export type AskServer = (
  request: MountCall,
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
  readonly pictures: PictureCache;
}

/**
 * How long names, attributes and content are taken for true, as FUSE has it by default: others may change them at
 * any time. After a command of the host's they are old at once. In directories that are followed, it is how long
 * nobody asks what has changed there.
 */
const FRESH_MS = 1000;
/** What followed directories hold is looked at anew after so long: writes to a memory map of a file are not told. */
const FOLLOWED_MS = 5000;

/** The files of one mount that this cell knows: the same object for the same file. */
export class ServedFiles {
  readonly root: ServedInode;
  readonly #parts: ServedFilesParts;
  readonly #byNode = new KnownInodes<number, ServedInode>();
  readonly #holds = new PendingHolds();
  #isTelling = false;
  /** Of all files together. */
  #allChanges = 0;
  /** Pictures of earlier eras are followed no longer. */
  #era = 0;
  #hasFollowed = false;
  #askedChanges: Pick<Asked, "atMs" | "epoch"> = { atMs: -Infinity, epoch: -1 };
  #askingChanges: Promise<void> | undefined;

  constructor(parts: ServedFilesParts) {
    this.#parts = parts;
    this.root = new ServedInode(ROOT_NODE, { ino: parts.rootIno, kind: "directory" });
    this.#byNode.set(ROOT_NODE, this.root);
  }

  find(node: number): ServedInode | undefined {
    return this.#byNode.get(node);
  }

  /** Asks the server. Files that it has forgotten the numbers of are found again by their names, once. */
  async ask(
    inodes: readonly ServedInode[],
    request: () => MountCall,
    bytes: AskBytes = {},
  ): Promise<{ readonly value: MountResult; readonly body: Uint8Array }> {
    try {
      return await this.#ask(request(), bytes);
    } catch (error) {
      if (!isKernelError(error, "ESTALE")) throw error;
      for (const inode of inodes) await this.#findAgain(inode);
      return this.#ask(request(), bytes);
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

  /** The file that the server calls so. */
  take(found: MountNode): ServedInode {
    const known = this.find(found.node);
    if (known?.kind === found.stat.kind && known.ino === found.stat.ino) return known;
    const inode = new ServedInode(found.node, found.stat);
    this.#byNode.set(inode.node, inode);
    return inode;
  }

  /** A file that was asked for by a name, at a moment: undefined where there is none. */
  learnName(
    { parent, name, asked }: AskedName,
    found: MountNode | undefined,
  ): ServedInode | undefined {
    const inode = found === undefined ? undefined : this.take(found);
    if (inode === this.root) return inode;
    if (inode !== undefined) place(inode, parent, name);
    // A change that came between may be in the answer, or not.
    const isCurrent = asked.changesInside === parent.changesInside;
    if (!isCurrent) return inode;
    parent.picture ??= new Picture(this.stamp(parent));
    const { picture } = parent;
    // What a followed picture says is told of when it changes; what is asked later is a part of it.
    const followed = this.#isFollowed(picture) ? picture : undefined;
    const { atMs, epoch } = asked;
    picture.set(name, { inode, stamp: { atMs, epoch, changes: 0, picture: followed } });
    this.#parts.pictures.count(parent);
    if (inode !== undefined && found !== undefined) this.learn(inode, found.stat, asked);
    return inode;
  }

  /** Attributes that were asked for at a moment. */
  learn(inode: ServedInode, stat: Stat, asked: Asked): void {
    const { parent } = inode;
    const { atMs, epoch } = asked;
    // A second name may be in another directory, where a change was made.
    if (stat.nlink > 1 && asked.allChanges !== this.#allChanges) return;
    // A directory's own picture tells when it is changed, that of its parent when a file in it is.
    const isNamed = stat.nlink <= 1 && parent?.picture?.entries.has(inode.name) === true;
    const own = inode.kind === "directory" ? inode.picture : undefined;
    const telling = own ?? (isNamed && inode.kind !== "directory" ? parent?.picture : undefined);
    const picture = this.#isFollowed(telling) ? telling : undefined;
    inode.known = { stat, stamp: { atMs, epoch, changes: inode.changes, picture } };
  }

  /** Attributes that came with a picture of the directory: most have its stamp, and need none of their own. */
  learnWith(picture: Picture, inode: ServedInode, { stat, asked }: LearnedWith): void {
    const { stamp } = picture;
    const isPlain = inode.kind !== "directory" && stat.nlink <= 1;
    if (isPlain && inode.changes === stamp.changes) inode.known = { stat, stamp };
    else this.learn(inode, stat, asked);
  }

  /** A name is made, moved or removed: what was known of the directory and of what it named is old. */
  nameChanged(parent: ServedInode, name: string): void {
    const named = parent.picture?.entries.get(name)?.inode;
    if (named !== undefined) named.changes += 1;
    parent.picture?.forget(name);
    parent.changes += 1;
    parent.changesInside += 1;
    this.#allChanges += 1;
  }

  /** This VM has removed it: there is nothing by that name. */
  nameRemoved(parent: ServedInode, name: string): void {
    if (this.#isFollowed(parent.picture)) parent.picture?.remove(name);
  }

  changed(inode: ServedInode): void {
    inode.changes += 1;
    this.#allChanges += 1;
    if (inode.parent !== undefined) inode.parent.changesInside += 1;
  }

  asked(directory?: ServedInode): Asked {
    const changesInside = directory?.changesInside ?? 0;
    const { now, outsideEpoch } = this.#parts;
    return { atMs: now(), epoch: outsideEpoch(), changesInside, allChanges: this.#allChanges };
  }

  stamp(inode: ServedInode): Omit<Stamp, "picture"> {
    return {
      atMs: this.#parts.now(),
      epoch: this.#parts.outsideEpoch(),
      changes: inode.changes,
    };
  }

  /** "unsure": it is, if the server has nothing to tell: see `hearChanges`. */
  believes({ atMs, epoch, picture }: Omit<Stamp, "changes">): boolean | "unsure" {
    const now = this.#parts.now();
    if (picture === undefined) {
      return epoch === this.#parts.outsideEpoch() && now - atMs < FRESH_MS;
    }
    if (!this.#isFollowed(picture) || now - atMs >= FOLLOWED_MS) return false;
    return this.#hasHeard(now) ? true : "unsure";
  }

  /** Of a file. */
  isFresh(inode: ServedInode, stamp: Stamp): boolean | "unsure" {
    return stamp.changes === inode.changes && this.believes(stamp);
  }

  /** What pictures are followed by that were asked for then, if the server follows them. */
  eraOf(asked: Asked): number {
    // There was nothing to tell before the first of them.
    if (!this.#hasFollowed) this.#askedChanges = asked;
    this.#hasFollowed = true;
    return this.#era;
  }

  /** Asks the server what has changed in followed directories, once for all who want to know. */
  hearChanges(): Promise<void> {
    this.#askingChanges ??= this.#hearChanges().finally(() => {
      this.#askingChanges = undefined;
    });
    return this.#askingChanges;
  }

  async #hearChanges(): Promise<void> {
    const asked = this.asked();
    const { value, body } = await this.#ask({ call: "changes" }, {});
    if (value.isAnything === true) this.#era += 1;
    for (const [node, names] of decodeChanges(body)) {
      const directory = this.find(node);
      if (directory !== undefined) this.#changedInside(directory, names);
    }
    this.#askedChanges = asked;
  }

  #changedInside(directory: ServedInode, names: readonly string[] | null): void {
    directory.changes += 1;
    directory.changesInside += 1;
    if (names === null) return this.#parts.pictures.drop(directory);
    for (const name of names) this.nameChanged(directory, name);
    return undefined;
  }

  #isFollowed(picture: Picture | undefined): boolean {
    return picture?.followed === this.#era;
  }

  #hasHeard(now: number): boolean {
    const { atMs, epoch } = this.#askedChanges;
    return epoch === this.#parts.outsideEpoch() && now - atMs < FRESH_MS;
  }

  #ask(request: MountCall, bytes: AskBytes): ReturnType<AskServer> {
    return this.#parts.ask(request, { ...bytes, holds: this.#holds.take() });
  }

  /** ESTALE when its name leads elsewhere by now. */
  async #findAgain(inode: ServedInode): Promise<void> {
    const { parent, name } = inode;
    if (parent === undefined) return;
    const request = (): MountCall => ({ call: "lookup", at: { node: parent.node, name } });
    const { found } = (await this.ask([parent], request)).value;
    if (found === undefined || found.stat.ino !== inode.ino || found.stat.kind !== inode.kind) {
      throw new KernelError("ESTALE");
    }
    if (found.node === inode.node) return;
    inode.node = found.node;
    if (this.find(found.node) === undefined) this.#byNode.set(inode.node, inode);
  }
}

/** When something was asked. */
export interface Asked {
  readonly atMs: number;
  readonly epoch: number;
  /** Of the directory that it was asked about. */
  readonly changesInside: number;
  /** Of the mount. */
  readonly allChanges: number;
}

interface LearnedWith {
  readonly stat: Stat;
  readonly asked: Asked;
}

export interface AskedName {
  readonly parent: ServedInode;
  readonly name: string;
  readonly asked: Asked;
}

function place(inode: ServedInode, parent: ServedInode, name: string): void {
  inode.parent = parent;
  inode.name = name;
}
