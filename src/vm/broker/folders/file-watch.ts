import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import {
  decodeText,
  type FileKind,
  type Inode,
  type OutsideChange,
} from "../../../kernel/index.ts";

/** Names with an existence check in flight; what comes while there are so many is left out. */
const LOOKS_LIMIT = 256;
/** Events that the watches of one folder take in that time; a watch that has more rests for as long. */
const EVENTS_LIMIT = 2000;
const EVENTS_MS = 200;

/**
 * What the watches of one folder may tell together. Node takes events until there are none: a sandbox that makes
 * them faster than they are taken would have the server do nothing else.
 */
export class WatchBudget {
  #sinceMs = 0;
  #left = EVENTS_LIMIT;

  /** Whether one more may be taken. */
  spend(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs >= EVENTS_MS) {
      this.#sinceMs = nowMs;
      this.#left = EVENTS_LIMIT;
    }
    this.#left -= 1;
    return this.#left >= 0;
  }
}

export interface FileWatchParts {
  readonly kind: FileKind;
  readonly budget: WatchBudget;
  /** Calls with the path of the held file itself. */
  readonly withPath: (use: (path: string) => void) => Promise<void>;
  /** Finds what is in the directory, and by the name "" the file itself, while it has a name. */
  readonly find: (name: string) => Promise<Inode | undefined>;
  readonly tell: (change: OutsideChange) => void;
}

/** Tells what happens to a held file, or in a held directory: Linux watches the file itself, not a path. */
export class FileWatch {
  readonly #parts: FileWatchParts;
  #watcher: FSWatcher | undefined;
  #rest: NodeJS.Timeout | undefined;
  /** What Node calls the watched directory when it tells of that itself: the last part of its path. */
  #ownName = "";
  #looks = 0;
  #isOver = false;

  constructor(parts: FileWatchParts) {
    this.#parts = parts;
  }

  /** What cannot be watched is not told of: there may be too many watches. */
  begin(): void {
    this.#parts.withPath((path) => this.#listen(path)).catch(() => this.end());
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#rest);
    this.#watcher?.close();
  }

  #listen(path: string): void {
    if (this.#isOver) return;
    const options = { persistent: false, encoding: "buffer" } as const;
    this.#ownName = basename(path);
    this.#watcher = watch(path, options, (type, name) => {
      if (!this.#parts.budget.spend()) this.#pause();
      else if (name !== null) this.#changed(type, name);
    });
    this.#watcher.on("error", () => this.end());
  }

  /** No event is made for it meanwhile. */
  #pause(): void {
    this.#watcher?.close();
    this.#rest = setTimeout(() => this.begin(), EVENTS_MS).unref();
  }

  #changed(type: string, bytes: Buffer): void {
    const isAboutName = type === "rename";
    if (this.#parts.kind === "directory") {
      const name = decodeText(bytes);
      return this.#limit(() => this.#look(name, isAboutName));
    }
    if (isAboutName) return this.#parts.tell(itsRemoval);
    this.#parts.tell({ kind: "changed", name: "", isDirectory: false });
    return this.#limit(() => this.#lookAtFile());
  }

  #limit(look: () => Promise<void>): void {
    if (this.#looks >= LOOKS_LIMIT) return;
    this.#looks += 1;
    look()
      // A directory that is gone has nothing to tell.
      .catch(() => undefined)
      .finally(() => {
        this.#looks -= 1;
      });
  }

  async #look(name: string, isAboutName: boolean): Promise<void> {
    const found = await this.#parts.find(name);
    if (this.#isOver) return;
    const isDirectory = found?.kind === "directory";
    if (found === undefined && name === this.#ownName) return;
    if (found === undefined) return this.#parts.tell({ kind: "removed", name, isDirectory });
    return this.#parts.tell({ kind: isAboutName ? "created" : "changed", name, isDirectory });
  }

  /** Linux tells of a held file's last name as of any change of its inode: it is not gone yet. */
  async #lookAtFile(): Promise<void> {
    if ((await this.#parts.find("")) === undefined && !this.#isOver) this.#parts.tell(itsRemoval);
  }
}

const itsRemoval: OutsideChange = { kind: "removed", name: "", isDirectory: false };
