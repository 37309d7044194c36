import { encodeText, type FileSystem, type Inode, isKernelError } from "../../../kernel/index.ts";
import { encodeHeader, paddingFor, type TarType } from "./tar-header.ts";
import { parentOf, type Tree, type TreeEntry } from "./tree.ts";
import { findAt } from "./walk-path.ts";

/** What is read at once. */
const PART_BYTES = 256 * 1024;
/** An archive ends with two blocks of zeros. */
const END = new Uint8Array(1024);
const NOTHING = new Uint8Array(0);

/**
 * Files as an archive, in the order given. A file that changes meanwhile has the size it was listed with; one that is
 * gone is left out. Another name of a file that is there already is a link to it.
 */
export async function* writeTar(
  files: FileSystem,
  tree: Tree,
  paths: readonly string[],
): AsyncGenerator<Uint8Array> {
  const links = new LinkNames(tree, new Set(paths));
  const walk = new TreeWalk(files);
  for (const path of paths) {
    const entry = tree.get(path);
    const inode = entry === undefined ? undefined : await walk.find(path);
    if (entry === undefined || inode?.kind !== entry.kind) continue;
    const first = links.find(path, entry);
    if (first !== undefined) yield header("hardlink", path, entry, `./${first}`);
    else if (entry.kind === "symlink")
      yield header("symlink", path, entry, await files.readlink(inode, 1));
    else {
      yield header(entry.kind, path, entry, "");
      if (entry.kind === "file") yield* contentOf(files, inode, entry.size);
    }
  }
  yield END;
}

function header(type: TarType, path: string, entry: TreeEntry, target: string): Uint8Array {
  const name = encodeText(`./${path}${type === "directory" ? "/" : ""}`);
  const { mode, mtimeMs } = entry;
  const size = type === "file" ? entry.size : 0;
  return encodeHeader({ type, name, mode, size, mtimeMs, target: encodeText(target) });
}

/** 0 where it was cut or went meanwhile: there are zeros then, and it is carried again. */
async function readPart(
  files: FileSystem,
  inode: Inode,
  into: Uint8Array,
  offset: number,
): Promise<number> {
  try {
    return await files.read(inode, into, offset);
  } catch (error) {
    if (isKernelError(error)) return 0;
    throw error;
  }
}

async function* contentOf(
  files: FileSystem,
  inode: Inode,
  size: number,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  while (done < size) {
    const part = new Uint8Array(Math.min(PART_BYTES, size - done));
    const count = await readPart(files, inode, part, done);
    done += count === 0 ? part.length : count;
    yield count === 0 ? part : part.subarray(0, count);
  }
  const padding = paddingFor(size);
  yield padding.length === 0 ? NOTHING : padding;
}

/** Finds one path after the other, in the order of a tree: the directory is mostly that of the one before. */
class TreeWalk {
  readonly #files: FileSystem;
  #path = "";
  #directory: Inode | undefined;

  constructor(files: FileSystem) {
    this.#files = files;
    this.#directory = files.root;
  }

  /** Undefined for what is gone. */
  async find(path: string): Promise<Inode | undefined> {
    const parent = parentOf(path) ?? "";
    try {
      if (parent !== this.#path)
        this.#directory = parent === "" ? this.#files.root : await findAt(this.#files, parent);
      this.#path = parent;
      if (this.#directory?.kind !== "directory") return undefined;
      return await this.#files.lookup(this.#directory, path.slice(path.lastIndexOf("/") + 1));
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }
}

/** By which name a file of several names is there already, or comes before. */
class LinkNames {
  readonly #first = new Map<number, string>();

  constructor(tree: Tree, carried: ReadonlySet<string>) {
    for (const [path, { kind, nlink, ino }] of tree)
      if (kind === "file" && nlink > 1 && !carried.has(path) && !this.#first.has(ino))
        this.#first.set(ino, path);
  }

  find(path: string, { kind, nlink, ino }: TreeEntry): string | undefined {
    if (kind !== "file" || nlink < 2) return undefined;
    const first = this.#first.get(ino);
    if (first === undefined) this.#first.set(ino, path);
    return first;
  }
}
