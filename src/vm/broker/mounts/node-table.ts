import { type FileSystem, type Inode, KernelError } from "../../../kernel/index.ts";
import { ROOT_NODE } from "../../wire/mount-requests.ts";

/** A file that the cell knows by a number, and the name by which it was last found. */
export interface Node {
  readonly id: number;
  readonly inode: Inode;
  parent: Node | undefined;
  name: string;
  /** How often the cell holds it. */
  holders: number;
  /** Nodes that are found by it, and one more while it is followed. */
  children: number;
}

/** Nodes that nobody holds; the least used leave. */
const IDLE_LIMIT = 16_384;
/** Nodes that the cell holds: more than a VM can have open. */
const HELD_LIMIT = 32_768;
/** Nodes of any kind. Only directories that others moved into each other meanwhile bring a table here. */
const NODES_LIMIT = 81_920;
const LOOKS = 64;
/** A path that is longer is none a VM can name; directories lie at most that deep here. */
const DEPTH_LIMIT = 2048;

/** The files of one mount that a cell has numbers of. */
export class NodeTable {
  readonly #fileSystem: FileSystem;
  /** Least used first. */
  readonly #nodes = new Map<number, Node>();
  readonly #ids = new WeakMap<Inode, number>();
  #lastId = ROOT_NODE;
  #held = 0;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
    const inode = fileSystem.root;
    const root = { id: ROOT_NODE, inode, parent: undefined, name: "", holders: 1, children: 0 };
    this.#ids.set(inode, ROOT_NODE);
    this.#nodes.set(ROOT_NODE, root);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** ESTALE for a number that is none any more. */
  get(id: number): Node {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new KernelError("ESTALE");
    this.#nodes.delete(id);
    this.#nodes.set(id, node);
    return node;
  }

  find(id: number): Node | undefined {
    return this.#nodes.get(id);
  }

  /** As `get`, for what must be a directory: ENOTDIR. */
  getDirectory(id: number): Node {
    const node = this.get(id);
    if (node.inode.kind !== "directory") throw new KernelError("ENOTDIR");
    return node;
  }

  /** The number of a file that was found under a name. ENFILE. */
  add(inode: Inode, parent: Node, name: string): Node {
    const before = this.#ids.get(inode);
    const known = before === undefined ? undefined : this.#nodes.get(before);
    if (known !== undefined) {
      if (known.parent !== undefined) this.#place(known, parent, name);
      return this.get(known.id);
    }
    if (this.#nodes.size >= NODES_LIMIT) throw new KernelError("ENFILE");
    const id = before ?? this.#lastId + 1;
    this.#lastId = Math.max(id, this.#lastId);
    const node: Node = { id, inode, parent, name, holders: 0, children: 0 };
    parent.children += 1;
    if (before === undefined) this.#ids.set(inode, id);
    this.#nodes.set(id, node);
    this.#makeRoom();
    return node;
  }

  /** A name has moved: what was found by it is found by the new one. */
  moved(inode: Inode, to: Node, name: string): void {
    const node = this.#nodes.get(this.#ids.get(inode) ?? -1);
    if (node?.parent !== undefined) this.#place(node, to, name);
  }

  /** Its number stays good until `unpin`. ESTALE. */
  pin(id: number): void {
    this.get(id).children += 1;
  }

  unpin(id: number): void {
    const node = this.#nodes.get(id);
    if (node !== undefined) node.children -= 1;
  }

  /** ENFILE when the cell holds more than a VM can have open. */
  hold(id: number): void {
    const node = this.get(id);
    if (this.#held >= HELD_LIMIT) throw new KernelError("ENFILE");
    this.#held += 1;
    node.holders += 1;
    this.#fileSystem.retain(node.inode);
  }

  /** EINVAL for a node that the cell does not hold. */
  release(id: number): void {
    const node = this.get(id);
    const least = node.parent === undefined ? 1 : 0;
    if (node.holders <= least) throw new KernelError("EINVAL");
    this.#letGo(node);
    this.#makeRoom();
  }

  /** The cell is gone, and all it held is let go. */
  close(): void {
    for (const node of this.#nodes.values()) {
      const least = node.parent === undefined ? 1 : 0;
      while (node.holders > least) this.#letGo(node);
    }
    this.#nodes.clear();
  }

  #letGo(node: Node): void {
    this.#held -= 1;
    node.holders -= 1;
    this.#fileSystem.release(node.inode);
  }

  #place(node: Node, parent: Node, name: string): void {
    if (node.parent !== undefined) node.parent.children -= 1;
    parent.children += 1;
    node.parent = parent;
    node.name = name;
  }

  /** Looks at a few of the least used; those that are needed go to the end. */
  #makeRoom(): void {
    let looks = LOOKS;
    for (const node of this.#nodes.values()) {
      if (this.#nodes.size <= IDLE_LIMIT + this.#held || looks === 0) return;
      looks -= 1;
      this.#nodes.delete(node.id);
      if (node.holders > 0 || node.children > 0) this.#nodes.set(node.id, node);
      else if (node.parent !== undefined) node.parent.children -= 1;
    }
  }
}

/** The path from the mount's root, as "/a/b"; empty for the root. ELOOP for what lies too deep. */
export function pathOf(node: Node): string {
  const names: string[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) {
    names.push(at.name);
    if (names.length > DEPTH_LIMIT) throw new KernelError("ELOOP");
  }
  return names
    .reverse()
    .map((name) => `/${name}`)
    .join("");
}
