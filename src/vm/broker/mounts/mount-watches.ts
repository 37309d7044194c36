import { type FileSystem, KernelError, type OutsideChange } from "../../../kernel/index.ts";
import type { NodeTable } from "./node-table.ts";

/** Files of one mount that a cell watches. */
const WATCHES_LIMIT = 1024;
/** Changes of one file that are told at once; what comes meanwhile waits, what does not fit is left out. */
const CHANGES_LIMIT = 256;
/** How long changes are gathered: a build makes thousands. */
const GATHER_MS = 20;

export type TellChanges = (node: number, changes: readonly OutsideChange[]) => void;

/** What a cell watches in one mount. */
export class MountWatches {
  readonly #fileSystem: FileSystem;
  readonly #nodes: NodeTable;
  readonly #tell: TellChanges;
  readonly #ends = new Map<number, () => void>();

  constructor(fileSystem: FileSystem, nodes: NodeTable, tell: TellChanges) {
    this.#fileSystem = fileSystem;
    this.#nodes = nodes;
    this.#tell = tell;
  }

  /** ENOTSUP where nobody else can change anything; ENOSPC. Again: nothing happens. */
  begin(id: number): void {
    if (this.#ends.has(id)) return;
    if (this.#fileSystem.watch === undefined) throw new KernelError("ENOTSUP");
    if (this.#ends.size >= WATCHES_LIMIT) throw new KernelError("ENOSPC");
    const { inode } = this.#nodes.get(id);
    this.#nodes.hold(id);
    let gathered: OutsideChange[] = [];
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      timer = undefined;
      this.#tell(id, gathered);
      gathered = [];
    };
    const end = this.#fileSystem.watch(inode, (change) => {
      if (gathered.length < CHANGES_LIMIT) gathered.push(change);
      timer ??= setTimeout(flush, GATHER_MS);
    });
    this.#ends.set(id, () => {
      clearTimeout(timer);
      end();
      this.#nodes.release(id);
    });
  }

  end(id: number): void {
    this.#ends.get(id)?.();
    this.#ends.delete(id);
  }

  close(): void {
    for (const id of [...this.#ends.keys()]) this.end(id);
  }
}
