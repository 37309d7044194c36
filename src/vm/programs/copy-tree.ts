/** Copying files and trees, for `cp` and for `mv` across mounts. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Stat,
} from "../../kernel/index.ts";
import { baseName, joinPath, readDirectory } from "./directory.ts";
import { writeAll } from "./output.ts";
import { errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

export interface CopyOptions {
  readonly isRecursive: boolean;
  /** Links below operands are copied as links; `operands` follows those on the command line. */
  readonly follows: "all" | "operands" | "none";
  readonly keepsMode: boolean;
  readonly keepsOwner: boolean;
  readonly keepsTimes: boolean;
  readonly isForced: boolean;
  /** Answers whether an existing file may be overwritten. */
  readonly mayOverwrite: (from: Stat, to: Stat, path: string) => Promise<boolean>;
  readonly isVerbose: boolean;
}

const CHUNK_BYTES = 131_072;

/** Copies one operand to `to`, a name and not the directory to put it in. Failures are said. */
export class TreeCopy {
  readonly #run: Run;
  readonly #options: CopyOptions;
  /** Copies of files with several names, to keep them linked under `-a`. */
  readonly #copied = new Map<string, string>();
  /** Directories made by this copy, which a recursive copy must not enter. */
  readonly #made = new Set<string>();

  constructor(run: Run, options: CopyOptions) {
    this.#run = run;
    this.#options = options;
  }

  async copyOperand(from: string, to: string): Promise<boolean> {
    return this.#copy(from, to, true);
  }

  async #copy(from: string, to: string, isOperand: boolean): Promise<boolean> {
    const run = this.#run;
    const { follows } = this.#options;
    const isFollowed = follows === "all" || (follows === "operands" && isOperand);
    try {
      const stat = await (isFollowed ? run.sys.stat(from) : run.sys.lstat(from));
      if (stat.kind === "directory") return await this.#copyDirectory(from, to, stat);
      return await this.#copyFile(from, to, stat);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`cannot stat ${quoteName(from)}: ${errorWords(error)}`);
      return false;
    }
  }

  async #copyDirectory(from: string, to: string, stat: Stat): Promise<boolean> {
    const run = this.#run;
    if (!this.#options.isRecursive) {
      await run.fail(`-r not specified; omitting directory ${quoteName(from)}`);
      return false;
    }
    const existing = await findStat(run.sys, to);
    if (existing !== undefined && existing.kind !== "directory") {
      await run.fail(
        `cannot overwrite non-directory ${quoteName(to)} with directory ${quoteName(from)}`,
      );
      return false;
    }
    if (await this.#isInside(stat, to)) {
      await run.fail(`cannot copy a directory, ${quoteName(from)}, into itself, ${quoteName(to)}`);
      return false;
    }
    if (existing === undefined && !(await this.#makeDirectory(from, to))) return false;
    let isWhole = true;
    for (const { name } of await this.#list(from)) {
      const path = joinPath(from, name);
      if (this.#made.has(await this.#identity(path))) continue;
      if (!(await this.#copy(path, joinPath(to, name), false))) isWhole = false;
    }
    if (existing === undefined || this.#options.keepsMode)
      await this.#keepAttributes(to, stat, existing === undefined);
    return isWhole;
  }

  async #makeDirectory(from: string, to: string): Promise<boolean> {
    const run = this.#run;
    try {
      await run.sys.mkdir(to, 0o700);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`cannot create directory ${quoteName(to)}: ${errorWords(error)}`);
      return false;
    }
    this.#made.add(await this.#identity(to));
    if (this.#options.isVerbose) run.out.addText(`${quoteName(from)} -> ${quoteName(to)}\n`);
    return true;
  }

  async #list(path: string): Promise<readonly { readonly name: string }[]> {
    try {
      return await readDirectory(this.#run.sys, path);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`cannot access ${quoteName(path)}: ${errorWords(error)}`);
      return [];
    }
  }

  async #identity(path: string): Promise<string> {
    const stat = await findStat(this.#run.sys, path, true);
    return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
  }

  /** Whether `to` lies below the directory that is copied. */
  async #isInside(directory: Stat, to: string): Promise<boolean> {
    const { sys } = this.#run;
    let path = to.startsWith("/") ? to : joinPath(await sys.getcwd(), to);
    while (path !== "/") {
      const stat = await findStat(sys, path);
      if (stat?.dev === directory.dev && stat.ino === directory.ino) return true;
      const parent = path.replace(/\/+[^/]*\/*$/s, "");
      path = parent === "" ? "/" : parent;
    }
    return false;
  }

  async #copyFile(from: string, to: string, stat: Stat): Promise<boolean> {
    const run = this.#run;
    const existing = await findStat(run.sys, to, stat.kind === "symlink");
    if (existing?.dev === stat.dev && existing.ino === stat.ino) {
      await run.fail(`${quoteName(from)} and ${quoteName(to)} are the same file`);
      return false;
    }
    if (existing?.kind === "directory") {
      await run.fail(`cannot overwrite directory ${quoteName(to)} with non-directory`);
      return false;
    }
    if (existing !== undefined && !(await this.#options.mayOverwrite(stat, existing, to)))
      return true;
    const linked = this.#copied.get(`${stat.dev}:${stat.ino}`);
    try {
      if (linked !== undefined) await this.#replace(to, existing, () => run.sys.link(linked, to));
      else await this.#copyContent(from, to, stat, existing);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(
        `cannot create ${stat.kind === "symlink" ? "symbolic link" : "regular file"} ${quoteName(to)}: ${errorWords(error)}`,
      );
      return false;
    }
    if (stat.nlink > 1 && this.#options.follows === "none" && this.#options.keepsOwner) {
      this.#copied.set(`${stat.dev}:${stat.ino}`, to);
    }
    if (this.#options.isVerbose) run.out.addText(`${quoteName(from)} -> ${quoteName(to)}\n`);
    return true;
  }

  async #copyContent(
    from: string,
    to: string,
    stat: Stat,
    existing: Stat | undefined,
  ): Promise<void> {
    const { sys } = this.#run;
    if (stat.kind === "symlink") {
      const target = await sys.readlink(from);
      await this.#replace(to, existing, () => sys.symlink(target, to));
      if (this.#options.keepsTimes)
        await sys.utimes(
          to,
          { atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs },
          { followsLast: false },
        );
      return;
    }
    if (stat.kind === "fifo" && this.#options.isRecursive) {
      await this.#replace(to, existing, () => sys.mknod(to, "fifo", stat.mode));
    } else {
      await this.#copyBytes(from, to, stat, existing);
    }
    await this.#keepAttributes(to, stat, false);
  }

  async #replace(to: string, existing: Stat | undefined, make: () => Promise<void>): Promise<void> {
    if (existing !== undefined) await this.#run.sys.unlink(to);
    await make();
  }

  async #copyBytes(
    from: string,
    to: string,
    stat: Stat,
    existing: Stat | undefined,
  ): Promise<void> {
    const { sys } = this.#run;
    const source = await this.#open(from);
    if (source === undefined) return;
    try {
      const target = await this.#openTarget(to, stat, existing);
      try {
        const buffer = new Uint8Array(CHUNK_BYTES);
        for (
          let count = await sys.read(source, buffer);
          count > 0;
          count = await sys.read(source, buffer)
        ) {
          await writeAll(sys, target, buffer.subarray(0, count));
        }
      } finally {
        await sys.close(target);
      }
    } finally {
      await sys.close(source);
    }
  }

  async #open(from: string): Promise<number | undefined> {
    try {
      return await this.#run.sys.open(from, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`cannot open ${quoteName(from)} for reading: ${errorWords(error)}`);
      return undefined;
    }
  }

  async #openTarget(to: string, stat: Stat, existing: Stat | undefined): Promise<number> {
    const { sys } = this.#run;
    if (existing === undefined)
      return sys.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, stat.mode & 0o777);
    try {
      return await sys.open(to, O_WRONLY | O_TRUNC | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error) || !this.#options.isForced) throw error;
      await sys.unlink(to);
      return sys.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, stat.mode & 0o777);
    }
  }

  async #keepAttributes(to: string, stat: Stat, isNewDirectory: boolean): Promise<void> {
    const { sys } = this.#run;
    const { keepsMode, keepsOwner, keepsTimes } = this.#options;
    if (keepsOwner) await this.#tryChown(to, stat);
    if (keepsMode) await sys.chmod(to, stat.mode & 0o7777);
    else if (isNewDirectory) await sys.chmod(to, stat.mode & 0o777 & ~(await sys.umask()));
    if (keepsTimes) await sys.utimes(to, { atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
  }

  /** Only root may give files away; for others the copy is simply theirs. */
  async #tryChown(to: string, stat: Stat): Promise<void> {
    try {
      await this.#run.sys.chown(to, stat.uid, stat.gid);
    } catch (error) {
      if (!isKernelError(error, "EPERM")) throw error;
    }
  }
}

/** Where an operand goes: into a directory under its own name, or to the name given. */
export function targetPath(directory: string | undefined, operand: string, to: string): string {
  return directory === undefined ? to : joinPath(directory, baseName(operand));
}
