/** Sorted runs of lines in temporary files, for what does not fit in memory. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDWR,
  type Sys,
} from "../../../kernel/index.ts";
import { joinPath } from "../directory.ts";
import { UsageError } from "../options.ts";
import { Output } from "../output.ts";
import { errorWords, quoteName } from "../program.ts";
import { makeCompare } from "./columns.ts";
import type { SortLines } from "./lines.ts";
import { mergeSort } from "./merge-sort.ts";
import type { SortOrder } from "./order.ts";
import { addLines } from "./write-lines.ts";

/** Bytes of a temporary file, between two offsets. */
export interface SpilledRun {
  readonly fd: number;
  readonly start: number;
  readonly end: number;
}

interface TemporaryFile {
  readonly fd: number;
  readonly path: string;
  length: number;
}

/** As many runs as there are, in one file for each directory. No file has a name: each goes with sort, however that ends. */
export class SpilledRuns {
  readonly #sys: Sys;
  readonly #directories: readonly string[];
  readonly #files: TemporaryFile[] = [];
  readonly runs: SpilledRun[] = [];

  /** Directories are used in turn. */
  constructor(sys: Sys, directories: readonly string[]) {
    this.#sys = sys;
    this.#directories = directories;
  }

  /** Sorts the lines, writes them and lets go of them. Fails with a UsageError where they cannot be written. */
  async add(lines: SortLines, order: SortOrder): Promise<void> {
    if (lines.count === 0) return;
    const file = await this.#nextFile();
    const compare = await makeCompare(this.#sys, lines, order);
    lines.charge(2 * lines.count * Uint32Array.BYTES_PER_ELEMENT);
    const sorted = await mergeSort(this.#sys, lines.count, compare);
    const out = new Output(this.#sys, file.fd);
    const start = file.length;
    try {
      file.length += await addLines(out, lines, sorted, order.isUnique ? compare : undefined);
    } catch (error) {
      throw refusal(error, `write failed: ${file.path}`);
    }
    this.runs.push({ fd: file.fd, start, end: file.length });
    lines.clear();
  }

  async #nextFile(): Promise<TemporaryFile> {
    const at = this.runs.length % this.#directories.length;
    const known = this.#files[at];
    if (known !== undefined) return known;
    const directory = this.#directories[at] ?? "/tmp";
    try {
      const file = { ...(await makeNameless(this.#sys, directory)), length: 0 };
      this.#files[at] = file;
      return file;
    } catch (error) {
      throw refusal(error, `cannot create temporary file in ${quoteName(directory)}`);
    }
  }
}

/** Random bytes in a name, as many as mkstemp has letters. */
const NAME_BYTES = 6;

async function makeNameless(sys: Sys, directory: string): Promise<{ fd: number; path: string }> {
  const random = new Uint8Array(NAME_BYTES);
  await sys.getrandom(random);
  const letters = [...random].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
  const path = joinPath(directory, `sort${letters}`);
  const fd = await sys.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
  await sys.unlink(path);
  return { fd, path };
}

function refusal(error: unknown, what: string): unknown {
  if (!isKernelError(error)) return error;
  return new UsageError(`${what}: ${errorWords(error)}`, { hasHint: false });
}
