import {
  type Attributes,
  type DirectoryName,
  type DirectoryPage,
  type FileSystem,
  type Follower,
  type Inode,
  KernelError,
  type NewFile,
  type OpenFile,
  type OutsideChange,
  type Stat,
  type StatFs,
} from "../../../kernel/index.ts";
import { Gate } from "./gate.ts";
import { MovingFile } from "./moving-file.ts";
import { MovingFollower } from "./moving-follower.ts";
import { MovingWatches } from "./moving-watches.ts";
import { Seat } from "./seat.ts";

/**
 * A file system whose files move: from a directory of this host to a sandbox elsewhere, and back. A file is the
 * same before and after, found again by its path when it is next used; ESTALE where nothing of its kind is
 * there. While files move, calls wait.
 */
export class MovingFiles implements FileSystem {
  readonly type = "sandbox";
  readonly isReadOnly = false;
  readonly root: MovingFile;
  /** Counts changes that were made through it. */
  changeCount = 0;
  readonly #gate = new Gate();
  readonly #watches = new MovingWatches((file) => this.#find(file));
  #seat: Seat;

  constructor(home: FileSystem) {
    this.#seat = new Seat(home, true);
    this.root = new MovingFile({ ino: home.root.ino, kind: "directory" }, undefined, "");
    this.#place(this.root, this.#seat, home.root);
  }

  /** Where files are now. */
  get files(): FileSystem {
    return this.#seat.files;
  }

  /** Calls `prepare` while nobody reads or writes; then files are there. If it fails they stay. */
  async moveTo(files: FileSystem, prepare: () => Promise<void>): Promise<void> {
    await this.#gate.alone(async () => {
      await prepare();
      this.moveAtOnce(files);
    });
  }

  /** Where they were is gone: what goes on there fails. */
  moveAtOnce(files: FileSystem): void {
    if (files === this.#seat.files) return;
    this.#seat = new Seat(files, false);
    this.#place(this.root, this.#seat, files.root);
    this.#watches.moved();
  }

  lookup(directory: Inode, name: string): Promise<Inode | undefined> {
    return this.#in(directory, async (inner, seat) => {
      const found = await seat.files.lookup(inner, name);
      if (found !== undefined) return this.#take(seat, found, own(directory), name);
      own(directory).disown(name);
      return undefined;
    }).catch((error: unknown) => {
      if (isStale(error)) return undefined;
      throw error;
    });
  }

  stat(inode: Inode): Promise<Stat> {
    const file = own(inode);
    return this.#in(file, async (inner, seat) => {
      file.last = { ...(await seat.files.stat(inner)), ino: file.ino };
      return file.last;
    }).catch((error: unknown) => {
      if (!isStale(error) || file.parent !== undefined || file.last === undefined) throw error;
      // Its name was removed before files moved: as it was last seen.
      return { ...file.last, nlink: 0 };
    });
  }

  readlink(inode: Inode, callerPid: number): Promise<string> {
    return this.#in(inode, (inner, seat) => seat.files.readlink(inner, callerPid));
  }

  list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    return this.#in(directory, async (inner, seat): Promise<DirectoryPage> => {
      const page = await seat.files.list(inner, cursor, limit);
      const entries = page.entries.map((entry) => {
        const known = own(directory).child(entry.name);
        const ino = known?.kind === entry.kind ? known.ino : seat.numberOf(entry.ino);
        return { ...entry, ino };
      });
      return { entries, cursor: page.cursor };
    }).catch((error: unknown) => {
      if (isStale(error)) return { entries: [], cursor: undefined };
      throw error;
    });
  }

  read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    return this.#in(inode, async (inner, seat) => seat.files.read(inner, into, offset));
  }

  write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    return this.#change(inode, (inner, seat) => seat.files.write(inner, from, offset));
  }

  truncate(inode: Inode, sizeBytes: number): Promise<void> {
    return this.#change(inode, (inner, seat) => seat.files.truncate(inner, sizeBytes));
  }

  openDevice(inode: Inode, flags: number): Promise<OpenFile> {
    return this.#in(inode, (inner, seat) => seat.files.openDevice(inner, flags));
  }

  create({ directory, name }: DirectoryName, file: NewFile): Promise<Inode> {
    return this.#changeIn(directory, async (inner, seat) => {
      const made = await seat.files.create({ directory: inner, name }, file);
      own(directory).disown(name);
      return this.#take(seat, made, own(directory), name);
    });
  }

  link({ directory, name }: DirectoryName, inode: Inode): Promise<void> {
    return this.#changeIn(directory, async (inner, seat) => {
      await seat.files.link({ directory: inner, name }, await this.#findNamed(own(inode)));
      own(directory).adopt(name, own(inode));
    });
  }

  unlink({ directory, name }: DirectoryName): Promise<void> {
    return this.#changeIn(directory, async (inner, seat) => {
      await seat.files.unlink({ directory: inner, name });
      own(directory).disown(name);
    });
  }

  rmdir({ directory, name }: DirectoryName): Promise<void> {
    return this.#changeIn(directory, async (inner, seat) => {
      await seat.files.rmdir({ directory: inner, name });
      own(directory).disown(name);
    });
  }

  rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    return this.#changeIn(from.directory, async (inner, seat) => {
      const target = await this.#findNamed(own(to.directory));
      const moved = expected === undefined ? undefined : await this.#find(own(expected));
      const source = { directory: inner, name: from.name };
      await seat.files.rename(source, { directory: target, name: to.name }, moved);
      const known = own(from.directory).child(from.name);
      // Two names of one file: nothing has happened.
      if (known !== undefined && known === own(to.directory).child(to.name)) return;
      own(from.directory).disown(from.name);
      own(to.directory).disown(to.name);
      if (known !== undefined) own(to.directory).adopt(to.name, known);
    });
  }

  setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    return this.#change(inode, (inner, seat) => seat.files.setAttributes(inner, changes));
  }

  statFs(): Promise<StatFs> {
    return this.#gate.pass(async () => ({
      ...(await this.#seat.files.statFs()),
      type: this.type,
    }));
  }

  sync(): Promise<void> {
    return this.#gate.pass(() => this.#seat.files.sync());
  }

  retain(inode: Inode): void {
    const file = own(inode);
    file.holders += 1;
    this.#hold(file);
  }

  release(inode: Inode): void {
    const file = own(inode);
    file.holders -= 1;
    if (file.holders === 0) letGo(file);
  }

  watch(inode: Inode, tell: (change: OutsideChange) => void): () => void {
    return this.#watches.begin(own(inode), tell);
  }

  follow(): Follower {
    return new MovingFollower({
      within: (file, act) => this.#in(file, act),
      settled: (act) => this.#gate.pass(() => act(this.#seat)),
      findIn: (seat, file) => (own(file).at?.seat === seat ? own(file).at?.inode : undefined),
      take: (seat, found, parent, name) => this.#take(seat, found, own(parent), name),
    });
  }

  #in<T>(inode: Inode, act: (inner: Inode, seat: Seat) => Promise<T>): Promise<T> {
    return this.#gate.pass(async () => {
      const seat = this.#seat;
      return act(await this.#find(own(inode)), seat);
    });
  }

  #change<T>(inode: Inode, act: (inner: Inode, seat: Seat) => Promise<T>): Promise<T> {
    this.changeCount += 1;
    return this.#in(inode, act);
  }

  /** A directory that is gone has no names: ENOENT. */
  #changeIn<T>(directory: Inode, act: (inner: Inode, seat: Seat) => Promise<T>): Promise<T> {
    this.changeCount += 1;
    return this.#gate.pass(async () => {
      const seat = this.#seat;
      return act(await this.#findNamed(own(directory)), seat);
    });
  }

  async #findNamed(file: MovingFile): Promise<Inode> {
    try {
      return await this.#find(file);
    } catch (error) {
      if (isStale(error)) throw new KernelError("ENOENT", undefined, "it has no name any more");
      throw error;
    }
  }

  /** What it is where files are now. ESTALE. */
  async #find(file: MovingFile): Promise<Inode> {
    const seat = this.#seat;
    // Up to what was found already, and down again: no calls within calls, trees may be deep.
    const way: MovingFile[] = [];
    let known: MovingFile | undefined = file;
    for (; known !== undefined && known.at?.seat !== seat; known = known.parent) way.push(known);
    let inode = known?.at?.inode;
    for (const next of way.reverse()) {
      if (inode === undefined) throw new KernelError("ESTALE");
      inode = await this.#findIn(inode, next, seat);
    }
    if (inode === undefined) throw new KernelError("ESTALE");
    return inode;
  }

  async #findIn(directory: Inode, file: MovingFile, seat: Seat): Promise<Inode> {
    const found = await seat.files.lookup(directory, file.name);
    const isIt = found?.kind === file.kind && (seat.known.get(found) ?? file) === file;
    if (found === undefined || !isIt || seat !== this.#seat) throw new KernelError("ESTALE");
    this.#place(file, seat, found);
    return found;
  }

  #take(seat: Seat, found: Inode, parent: MovingFile, name: string): MovingFile {
    const known = seat.known.get(found) ?? this.#findMoved(seat, found, parent.child(name));
    const facts = { ino: seat.numberOf(found.ino), kind: found.kind };
    const file = known ?? new MovingFile(facts, parent, name);
    if (file.at?.seat !== seat) this.#place(file, seat, found);
    parent.adopt(name, file);
    return file;
  }

  /** What had the name before files moved, and has not been found since. */
  #findMoved(seat: Seat, found: Inode, before: MovingFile | undefined): MovingFile | undefined {
    return before?.kind === found.kind && before.at?.seat !== seat ? before : undefined;
  }

  #place(file: MovingFile, seat: Seat, inode: Inode): void {
    letGo(file);
    file.at = { seat, inode, isHeld: false };
    seat.known.set(inode, file);
    this.#hold(file);
  }

  #hold(file: MovingFile): void {
    const { at } = file;
    if (at === undefined || at.isHeld || file.holders === 0) return;
    at.isHeld = true;
    at.seat.files.retain(at.inode);
  }
}

function letGo({ at }: MovingFile): void {
  if (at?.isHeld !== true) return;
  at.isHeld = false;
  at.seat.files.release(at.inode);
}

function isStale(error: unknown): boolean {
  return error instanceof KernelError && error.errno === "ESTALE";
}

function own(inode: Inode): MovingFile {
  if (!(inode instanceof MovingFile)) throw new KernelError("EXDEV");
  return inode;
}
