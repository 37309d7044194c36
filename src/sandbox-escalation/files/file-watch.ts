import { type FSWatcher, watch } from "node:fs";
import { decodeText, type FileKind, type Inode, type OutsideChange } from "../../kernel/index.ts";
import { itself } from "./reach-by-fd.ts";

/** Names whose being there is looked at, at one time; what comes meanwhile is left out. */
const LOOKS_LIMIT = 256;

/** Tells what happens to a held file, or in a held directory: Linux watches the file itself, not a path. */
export class FileWatch {
  readonly #kind: FileKind;
  readonly #find: (name: string) => Promise<Inode | undefined>;
  readonly #tell: (change: OutsideChange) => void;
  #watcher: FSWatcher | undefined;
  /** What Node calls the watched directory when it tells of that itself: the last part of its path. */
  #ownName = "";
  #looks = 0;
  #isOver = false;

  constructor(
    kind: FileKind,
    find: (name: string) => Promise<Inode | undefined>,
    tell: (change: OutsideChange) => void,
  ) {
    this.#kind = kind;
    this.#find = find;
    this.#tell = tell;
  }

  /** Throws the host's error when there are too many watches. */
  begin(fd: number): void {
    if (this.#isOver) return;
    const options = { persistent: false, encoding: "buffer" } as const;
    this.#ownName = String(fd);
    this.#watcher = watch(itself(fd), options, (type, name) => {
      if (name !== null) this.#changed(type, name);
    });
    this.#watcher.on("error", () => this.end());
  }

  end(): void {
    this.#isOver = true;
    this.#watcher?.close();
  }

  #changed(type: string, bytes: Buffer): void {
    if (this.#kind !== "directory") {
      return this.#tell({ kind: "changed", name: "", isDirectory: false });
    }
    const name = decodeText(bytes);
    if (this.#looks >= LOOKS_LIMIT) return undefined;
    this.#looks += 1;
    this.#look(name, type === "rename")
      // A directory that is gone has nothing to tell.
      .catch(() => undefined)
      .finally(() => {
        this.#looks -= 1;
      });
    return undefined;
  }

  async #look(name: string, isAboutName: boolean): Promise<void> {
    const found = await this.#find(name);
    if (this.#isOver) return;
    const isDirectory = found?.kind === "directory";
    if (found === undefined && name === this.#ownName) return;
    if (found === undefined) return this.#tell({ kind: "removed", name, isDirectory });
    return this.#tell({ kind: isAboutName ? "created" : "changed", name, isDirectory });
  }
}
