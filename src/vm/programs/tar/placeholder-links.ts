import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";

interface Placeholder {
  readonly path: string;
  readonly target: string;
  readonly mtimeMs: number;
  readonly dev: number;
  readonly ino: number;
}

/**
 * Symbolic links that lead out of the directory are made last: until then an empty file stands in their
 * place, so that no later member of a hostile archive is written through them.
 */
export class PlaceholderLinks {
  readonly #sys: Sys;
  readonly #placeholders: Placeholder[] = [];

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  /** Fails as open(2) does. */
  async add(path: string, target: string, mtimeMs: number): Promise<void> {
    const fd = await this.#sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    const { dev, ino } = await this.#sys.fstat(fd);
    await this.#sys.close(fd);
    this.#placeholders.push({ path, target, mtimeMs, dev, ino });
  }

  /** Only where the placeholder is still there. */
  async finish(): Promise<void> {
    for (const { path, target, mtimeMs, dev, ino } of this.#placeholders) {
      try {
        const stat = await this.#sys.lstat(path);
        if (stat.dev !== dev || stat.ino !== ino) continue;
        await this.#sys.unlink(path);
        await this.#sys.symlink(target, path);
        await this.#sys.utimes(path, { atimeMs: "now", mtimeMs }, { followsLast: false });
      } catch (error) {
        if (!isKernelError(error, "ENOENT")) throw error;
      }
    }
  }
}
