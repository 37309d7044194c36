import type { Inode, OutsideChange } from "../../../kernel/index.ts";
import type { MovingFile } from "./moving-file.ts";

interface Watch {
  readonly file: MovingFile;
  readonly tell: (change: OutsideChange) => void;
  end: (() => void) | undefined;
}

/** Who watches which file: told of changes wherever the file is, as far as the file system there can watch. */
export class MovingWatches {
  readonly #find: (file: MovingFile) => Promise<Inode>;
  readonly #watches = new Set<Watch>();

  constructor(find: (file: MovingFile) => Promise<Inode>) {
    this.#find = find;
  }

  begin(file: MovingFile, tell: (change: OutsideChange) => void): () => void {
    const watch: Watch = { file, tell, end: undefined };
    this.#watches.add(watch);
    this.#start(watch);
    return () => {
      this.#watches.delete(watch);
      watch.end?.();
      watch.end = undefined;
    };
  }

  moved(): void {
    for (const watch of this.#watches) {
      watch.end?.();
      watch.end = undefined;
      this.#start(watch);
    }
  }

  #start(watch: Watch): void {
    this.#find(watch.file)
      .then((inode) => {
        const { at } = watch.file;
        const files = at?.inode === inode ? at.seat.files : undefined;
        if (files === undefined || !this.#watches.has(watch) || watch.end !== undefined) return;
        watch.end = files.watch?.(inode, watch.tell);
      })
      // What cannot be found cannot be watched.
      .catch(() => undefined);
  }
}
