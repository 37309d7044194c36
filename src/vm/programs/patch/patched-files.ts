/** What patching leaves in the file system: the file, its backup, its rejects. */
import {
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  SEEK_END,
  type Stat,
  type Sys,
} from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";
import { errorWords } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import { backUp, makeParents, removeWithParents } from "./backup.ts";
import type { FilePatch } from "./parse-patch.ts";
import { type Reject, showRejects } from "./rejects.ts";
import type { PatchSettings } from "./settings.ts";

/** Nothing more can be done: the message goes behind `patch: ****`. */
export class PatchFailure extends Error {}

/** Where a patch is read from and written to. */
export interface Target {
  readonly input: string;
  readonly output: string;
  readonly stat: Stat | undefined;
}

export interface Patched {
  readonly patch: FilePatch;
  readonly target: Target;
  readonly isReversed: boolean;
  readonly hasMismatch: boolean;
}

export interface Rejected {
  readonly patch: FilePatch;
  readonly output: string;
  readonly rejects: readonly Reject[];
  readonly isReversed: boolean;
}

export class PatchedFiles {
  readonly #sys: Sys;
  readonly #settings: PatchSettings;
  /** Reject files written so far: a second patch adds to them. */
  readonly #rejectFiles = new Set<string>();

  constructor(sys: Sys, settings: PatchSettings) {
    this.#sys = sys;
    this.#settings = settings;
  }

  /** Writes or removes the patched file. Fails with a PatchFailure. */
  async write(patched: Patched, text: string, isRemoved: boolean): Promise<void> {
    const { output } = patched.target;
    if (output === "-") {
      await writeAll(this.#sys, 1, encodeText(text));
      return;
    }
    const { isAlways, onMismatch } = this.#settings.backup;
    const isKept = isAlways || (onMismatch && patched.hasMismatch);
    try {
      if (isKept && this.#settings.output === undefined)
        await backUp(this.#sys, output, this.#settings.backup);
      if (isRemoved) await removeWithParents(this.#sys, output);
      else await this.#writeFile(patched, text);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new PatchFailure(`Can't create file ${quoteFile(output)} : ${errorWords(error)}`);
    }
  }

  async #writeFile({ patch, target, isReversed }: Patched, text: string): Promise<void> {
    const sys = this.#sys;
    const { input, output, stat } = target;
    await makeParents(sys, output);
    if (stat !== undefined && output === input) await this.#unlinkOdd(output, stat);
    const fd = await sys.open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666);
    try {
      await writeAll(sys, fd, encodeText(text));
    } finally {
      await sys.close(fd);
    }
    const mode = isReversed ? patch.git?.oldMode : patch.git?.newMode;
    if (mode !== undefined) await sys.chmod(output, mode);
    else if (stat?.kind === "file") await sys.chmod(output, stat.mode & 0o7777);
    if (output !== input && patch.git?.renameTo !== undefined && !patch.git.isCopy)
      await removeWithParents(sys, input);
  }

  /** GNU patch puts a new file in the old one's place: it need not be writable, other names keep the old one. */
  async #unlinkOdd(path: string, stat: Stat): Promise<void> {
    const isOdd = (stat.mode & 0o200) === 0 || stat.nlink > 1 || stat.kind !== "file";
    try {
      if (isOdd) await this.#sys.unlink(path);
    } catch (error) {
      if (!isKernelError(error, "ENOENT")) throw error;
    }
  }

  /** Undefined where rejects are not kept. */
  rejectPath(output: string): string | undefined {
    const path = this.#settings.rejectFile ?? `${output}.rej`;
    return this.#settings.isDry || path === "-" || output === "-" ? undefined : path;
  }

  async saveRejects(path: string, { patch, rejects, isReversed }: Rejected): Promise<void> {
    const isMore = this.#rejectFiles.has(path);
    this.#rejectFiles.add(path);
    const flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isMore ? 0 : O_TRUNC);
    const fd = await this.#sys.open(path, flags, 0o666);
    try {
      if (isMore) await this.#sys.seek(fd, 0, SEEK_END);
      await writeAll(this.#sys, fd, encodeText(showRejects(patch, rejects, isReversed)));
    } finally {
      await this.#sys.close(fd);
    }
  }
}
