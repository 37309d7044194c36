import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Beyond either the oldest leave. */
const TOTAL_BYTES = 64 * 1024 * 1024;
const FILES = 1000;

/** Long inputs that were allowed, each in a file named by its SHA-256: `sha256sum` shows that it is what ran. */
export class ApprovedInputs {
  readonly #directory: string | undefined;

  /** Without a directory it keeps nothing. */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Throws what the disk does. */
  keep(name: string, text: string): void {
    const directory = this.#directory;
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    const now = new Date();
    utimesSync(file, now, now);
    this.#makeRoom(directory, name);
  }

  #makeRoom(directory: string, newest: string): void {
    const files = readdirSync(directory)
      .map((name) => ({ path: join(directory, name), name, ...sizeOf(join(directory, name)) }))
      .toSorted((one, other) => other.mtimeMs - one.mtimeMs);
    let bytes = 0;
    for (const [at, { path, name, size }] of files.entries()) {
      bytes += size;
      if (name !== newest && (at >= FILES || bytes > TOTAL_BYTES)) rmSync(path, { force: true });
    }
  }
}

/** Another server of the home may remove it meanwhile. */
function sizeOf(path: string): { readonly size: number; readonly mtimeMs: number } {
  return statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
}
