import type { OutsideChange } from "../../../kernel/index.ts";
import type { ServedInode } from "./served-inode.ts";

type Tell = (change: OutsideChange) => void;

/** How long what the host tells of a name that this VM has changed is taken for this VM's own doing. */
const OWN_MS = 500;
/** Names that this VM has changed and that are remembered. */
const OWN_LIMIT = 1024;

/** Who in this VM watches which served file for changes from outside. */
export class OutsideWatches {
  readonly #now: () => number;
  readonly #tells = new Map<ServedInode, Set<Tell>>();
  readonly #own = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this is the first who watches it. */
  add(inode: ServedInode, tell: Tell): boolean {
    const others = this.#tells.get(inode);
    if (others === undefined) this.#tells.set(inode, new Set([tell]));
    else others.add(tell);
    return others === undefined;
  }

  /** Whether nobody watches it any more. */
  remove(inode: ServedInode, tell: Tell): boolean {
    const others = this.#tells.get(inode);
    if (others?.delete(tell) !== true || others.size > 0) return false;
    return this.#tells.delete(inode);
  }

  /** This VM changes a name, or the file that has it. */
  changing(parent: ServedInode, name: string): void {
    if (this.#tells.size === 0) return;
    const key = keyOf(parent, name);
    this.#own.delete(key);
    this.#own.set(key, this.#now());
    for (const oldest of this.#own.keys()) {
      if (this.#own.size <= OWN_LIMIT) return;
      this.#own.delete(oldest);
    }
  }

  /** The kernel has told of this VM's own changes by itself. */
  receive(node: number, changes: readonly OutsideChange[]): void {
    for (const [inode, tells] of this.#tells) {
      if (inode.node !== node) continue;
      const told = changes.filter(({ name }) => !this.#isOwn(inode, name));
      for (const tell of [...tells]) told.forEach(tell);
    }
  }

  #isOwn(watched: ServedInode, name: string): boolean {
    const parent = name === "" ? watched.parent : watched;
    const key = parent === undefined ? "" : keyOf(parent, name === "" ? watched.name : name);
    const atMs = this.#own.get(key);
    return atMs !== undefined && this.#now() - atMs < OWN_MS;
  }
}

function keyOf(parent: ServedInode, name: string): string {
  return `${parent.node}/${name}`;
}
