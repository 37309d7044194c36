import {
  type Attributes,
  type DirectoryName,
  type DirectoryPage,
  decodeText,
  encodeText,
  type FileSystem,
  type Inode,
  isKernelError,
  KernelError,
  type NewFile,
  type OpenFile,
  type Stat,
  type StatFs,
} from "../../../kernel/index.ts";
import { encodeField } from "./agent-script.ts";
import { blockFor, FILE_MODE, modeOf, secondsOf, umaskFor } from "./call-words.ts";
import { ExecAgent, type ExecHost } from "./exec-agent.ts";
import { Listing, RecentListings } from "./exec-listings.ts";
import { ExecFile, ExecPaths } from "./exec-paths.ts";
import { decodeBase64, parseList, parseNumbers, parseStat } from "./parse-answers.ts";

/** What one call reads or writes. */
const PART_BYTES = 1 << 18;
const CALL_MS = 20_000;
/** Whoever looks a file up asks at once what it is. */
const FRESH_MS = 100;
const VM_OWNER = { uid: 1000, gid: 1000 } as const;

/**
 * The files of a sandbox that this host does not have, by a script that runs in it. Paths are the sandbox's:
 * nothing of this host can be reached. A file that was removed is gone, also for who holds it: ESTALE.
 */
export class ExecFiles implements FileSystem {
  readonly type = "sandbox";
  readonly isReadOnly = false;
  readonly root: ExecFile;
  readonly #agent: ExecAgent;
  readonly #paths: ExecPaths;
  readonly #listings = new RecentListings();
  /** Moves with everything that may have changed files. */
  #epoch = 0;

  constructor(host: ExecHost, limitMs: number = CALL_MS) {
    this.#agent = new ExecAgent(host, limitMs);
    this.#paths = new ExecPaths();
    this.root = this.#paths.root;
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Somebody else has been at work: what was heard before is old. */
  expire(): void {
    this.#epoch += 1;
    this.#listings.clear();
  }

  async lookup(directory: Inode, name: string): Promise<Inode | undefined> {
    const parent = own(directory);
    const epoch = this.#epoch;
    try {
      const listed = this.#listings.findFacts(parent, name);
      const facts = listed ?? (await this.#statAt(parent, name));
      const file = this.#paths.take(facts, parent, name);
      file.fresh = { untilMs: Date.now() + FRESH_MS, epoch };
      return file;
    } catch (error) {
      if (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")) return undefined;
      throw error;
    }
  }

  async stat(inode: Inode): Promise<Stat> {
    const file = own(inode);
    const { fresh, last } = file;
    const isFresh = fresh?.epoch === this.#epoch && Date.now() < fresh.untilMs;
    if (last !== undefined && isFresh) return last;
    const stat = await this.#call("stat", this.#paths.pathOf(file)).then(parseStat, (error) => {
      if (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")) return undefined;
      throw error;
    });
    if (stat !== undefined && file === this.root) return { ...stat, ino: file.ino };
    const isThere = stat?.ino === file.ino && stat.kind === file.kind;
    if (isThere) file.last = stat;
    if (file.last === undefined) throw new KernelError("ESTALE");
    // Its name leads elsewhere: as it was last seen.
    return isThere ? stat : { ...file.last, nlink: 0 };
  }

  async readlink(inode: Inode): Promise<string> {
    const file = own(inode);
    if (file.kind !== "symlink") throw new KernelError("EINVAL");
    const bytes = decodeBase64(await this.#call("link", this.#paths.pathOf(file)));
    // One newline is readlink's own.
    return decodeText(Buffer.from(bytes.replace(/\n$/, ""), "latin1"));
  }

  async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    const file = own(directory);
    const known = cursor === 0 ? undefined : this.#listings.find(file);
    return (known ?? (await this.#listAll(file))).page(cursor, limit);
  }

  async read(inode: Inode, into: Uint8Array, offset: number): Promise<number> {
    const path = this.#paths.pathOf(own(inode));
    let done = 0;
    while (done < into.length) {
      const length = Math.min(PART_BYTES, into.length - done);
      const word = await this.#call("read", path, offset + done, length);
      const bytes = Buffer.from(decodeBase64(word), "latin1").subarray(0, length);
      into.set(bytes, done);
      done += bytes.length;
      if (bytes.length < length) break;
    }
    return done;
  }

  async write(inode: Inode, from: Uint8Array, offset: number | "end"): Promise<number> {
    const file = own(inode);
    if (from.length === 0) return offset === "end" ? (await this.stat(file)).size : offset;
    let end = offset;
    for (let at = 0; at < from.length; at += PART_BYTES) {
      const bytes = from.slice(at, at + PART_BYTES);
      const size = await this.#put(file, bytes, end);
      end = end === "end" ? "end" : end + bytes.length;
      if (offset === "end" && at + PART_BYTES >= from.length) return size;
    }
    return end === "end" ? (await this.stat(file)).size : end;
  }

  async truncate(inode: Inode, sizeBytes: number): Promise<void> {
    await this.#call("cut", this.#paths.pathOf(own(inode)), sizeBytes);
  }

  async openDevice(): Promise<OpenFile> {
    throw new KernelError("ENXIO", undefined, "a special file of the sandbox");
  }

  async create({ directory, name }: DirectoryName, file: NewFile): Promise<Inode> {
    const parent = own(directory);
    const path = this.#paths.pathIn(parent, name);
    const stat = parseStat(await this.#make(path, file));
    return this.#paths.take(stat, parent, name);
  }

  async link({ directory, name }: DirectoryName, inode: Inode): Promise<void> {
    const parent = own(directory);
    const file = own(inode);
    const path = this.#paths.pathIn(parent, name);
    const words = await this.#call("hard", this.#paths.pathOf(file), encodeField(path));
    this.#paths.require(file, parseStat(words));
  }

  async unlink({ directory, name }: DirectoryName): Promise<void> {
    const parent = own(directory);
    const { nlink, ino, kind } = await this.#statAt(parent, name);
    await this.#call("rm", this.#paths.pathIn(parent, name));
    if (nlink <= 1) this.#paths.forget({ ino, kind });
  }

  async rmdir({ directory, name }: DirectoryName): Promise<void> {
    const parent = own(directory);
    const { ino, kind } = await this.#statAt(parent, name);
    await this.#call("rmdir", this.#paths.pathIn(parent, name));
    this.#paths.forget({ ino, kind });
  }

  async rename(from: DirectoryName, to: DirectoryName, expected?: Inode): Promise<void> {
    const source = own(from.directory);
    const target = own(to.directory);
    if (expected !== undefined) {
      this.#paths.require(own(expected), await this.#statAt(source, from.name), "ENOENT");
    }
    const [path, aim] = [
      this.#paths.pathIn(source, from.name),
      this.#paths.pathIn(target, to.name),
    ];
    if (isInside(path, aim)) throw new KernelError("EINVAL");
    const replaced = await this.lookup(target, to.name);
    await this.#call("mv", path, encodeField(aim));
    const moved = await this.lookup(target, to.name);
    if (replaced !== undefined && replaced !== moved) this.#paths.forget(replaced);
  }

  async setAttributes(inode: Inode, changes: Attributes): Promise<void> {
    const { mode, uid = VM_OWNER.uid, gid = VM_OWNER.gid, atimeMs, mtimeMs } = changes;
    if (uid !== VM_OWNER.uid || gid !== VM_OWNER.gid) {
      throw new KernelError("EPERM", undefined, "all that is shared with a sandbox is the user's");
    }
    const file = own(inode);
    const path = this.#paths.pathOf(file);
    if (mode !== undefined) await this.#call("mode", path, modeOf(mode, file.kind));
    if (atimeMs !== undefined) await this.#call("atime", path, secondsOf(atimeMs));
    if (mtimeMs !== undefined) await this.#call("mtime", path, secondsOf(mtimeMs));
  }

  async statFs(): Promise<StatFs> {
    const words = await this.#agent.call("room .");
    const [size = 0, blocks = 0, free = 0, files = 0, freeFiles = 0] = parseNumbers(words, 5);
    return {
      type: this.type,
      blockSize: size,
      totalBytes: blocks * size,
      freeBytes: Math.min(free, blocks) * size,
      totalInodes: files,
      freeInodes: Math.min(files, freeFiles),
    };
  }

  async sync(): Promise<void> {}
  /** A file lives as long as its name does. */
  retain(): void {}
  release(): void {}

  async #listAll(directory: ExecFile): Promise<Listing> {
    const epoch = this.#epoch;
    try {
      const words = await this.#call("list", this.#paths.pathOf(directory));
      const all = new Listing(await parseList(words));
      if (epoch === this.#epoch) this.#listings.keep(directory, all);
      return all;
    } catch (error) {
      if (isKernelError(error, "ENOTDIR") || isKernelError(error, "ENOENT"))
        return new Listing(new Map());
      throw error;
    }
  }

  async #statAt(parent: ExecFile, name: string): Promise<Stat> {
    return parseStat(await this.#call("stat", this.#paths.pathIn(parent, name)));
  }

  async #ask(line: string, data?: Uint8Array): Promise<string> {
    const isChange = !/^(?:stat|link|list|read) /.test(line);
    if (isChange) this.expire();
    try {
      return await this.#agent.call(line, data);
    } finally {
      if (isChange) this.expire();
    }
  }

  async #call(operation: string, path: Uint8Array, ...words: (string | number)[]): Promise<string> {
    return await this.#ask([operation, encodeField(path), ...words].join(" "));
  }

  async #make(path: Uint8Array, { kind, mode, target = "" }: NewFile): Promise<string> {
    switch (kind) {
      case "file":
        return this.#call("file", path, modeOf(mode, kind), ...umaskFor(mode & FILE_MODE));
      case "directory":
        return this.#call("dir", path, modeOf(mode, kind));
      case "symlink":
        return this.#call("sym", path, encodeField(encodeText(target)));
      default:
        throw new KernelError("EPERM", undefined, "special files are not shared with a sandbox");
    }
  }

  /** Answers the size after it. */
  async #put(file: ExecFile, bytes: Uint8Array, offset: number | "end"): Promise<number> {
    const path = encodeField(this.#paths.pathOf(file));
    const line = `write ${path} ${offset} ${bytes.length} ${blockFor(offset)}`;
    const [size = 0] = parseNumbers(await this.#ask(line, bytes), 1);
    return size;
  }
}

function isInside(path: Uint8Array, other: Uint8Array): boolean {
  return (
    other.length > path.length &&
    other[path.length] === 0x2f &&
    path.every((byte, i) => other[i] === byte)
  );
}

function own(inode: Inode): ExecFile {
  if (!(inode instanceof ExecFile)) throw new KernelError("EXDEV");
  return inode;
}
