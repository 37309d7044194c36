/** Copying files and trees, for `cp` and for `mv` across mounts. */
import {
  isKernelError,
  type KernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Stat,
} from "../../kernel/index.ts";
import type { CopyOptions } from "./copy-options.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { keepAttributes } from "./keep-attributes.ts";
import { writeAll } from "./output.ts";
import { errorWords, quoteName, type Run } from "./program.ts";
import { findStat } from "./run-command.ts";

const CHUNK_BYTES = 131_072;

/** Copies one operand to `to`, a name and not the directory to put it in. Failures are said. */
export class TreeCopy {
  readonly #run: Run;
  readonly #options: CopyOptions;
  /** Copies of files with several names, to keep them linked under `-a`. */
  readonly #copied = new Map<string, string>();
  /** Directories made by this copy, which a recursive copy must not enter. */
  readonly #made = new Set<string>();
  /** What is copied now, and to where. */
  #operand: readonly string[] = [];

  constructor(run: Run, options: CopyOptions) {
    this.#run = run;
    this.#options = options;
  }

  async copyOperand(from: string, to: string): Promise<boolean> {
    this.#operand = [from, to];
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
    if (existing !== undefined && (await this.#isInside(stat, to))) return this.#failInside();
    if (existing === undefined && !(await this.#makeDirectory(from, to))) return false;
    let isWhole = true;
    for (const { name } of await this.#list(from)) {
      const path = joinPath(from, name);
      if (this.#made.has(await this.#identity(path))) isWhole = await this.#failInside();
      else if (!(await this.#copy(path, joinPath(to, name), false))) isWhole = false;
    }
    if (existing === undefined || this.#options.keepsMode)
      await keepAttributes(run.sys, to, stat, {
        ...this.#options,
        isNewDirectory: existing === undefined,
      });
    return isWhole;
  }

  async #failInside(): Promise<boolean> {
    const [from, to] = this.#operand.map(quoteName);
    await this.#run.fail(`cannot copy a directory, ${from}, into itself, ${to}`);
    return false;
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
    const existing = await this.#findTarget(to, stat);
    if (existing === "unreachable") return false;
    if (existing?.dev === stat.dev && existing.ino === stat.ino) {
      if (this.#options.linksAs === "hard") return true;
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
    let kept: string | undefined;
    try {
      kept = await this.#options.backup?.keep(to);
      const isRemoved = this.#options.removesFirst === true && existing !== undefined;
      if (isRemoved && kept === undefined) await run.sys.unlink(to);
      const before = isRemoved || kept !== undefined ? undefined : existing;
      if (this.#options.linksAs !== undefined) await this.#link(from, to, before);
      else if (linked !== undefined)
        await this.#replace(to, before, () => run.sys.link(linked, to));
      else await this.#copyContent(from, to, stat, before);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(await this.#describeFailure(from, to, stat, error));
      return false;
    }
    if (stat.nlink > 1 && this.#options.follows === "none" && this.#options.keepsOwner) {
      this.#copied.set(`${stat.dev}:${stat.ino}`, to);
    }
    const backup = kept === undefined ? "" : ` (backup: ${quoteName(kept)})`;
    if (this.#options.isVerbose)
      run.out.addText(`${quoteName(from)} -> ${quoteName(to)}${backup}\n`);
    return true;
  }

  /** What the target is now: a link itself where it is to go. */
  async #findTarget(to: string, stat: Stat): Promise<Stat | "unreachable" | undefined> {
    const { sys } = this.#run;
    const { backup, linksAs, removesFirst } = this.#options;
    const isReplaced = removesFirst === true || backup?.isWanted === true || linksAs !== undefined;
    try {
      return await (isReplaced || stat.kind === "symlink" ? sys.lstat(to) : sys.stat(to));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno === "ENOENT" || to.endsWith("/")) return undefined;
      await this.#run.fail(`cannot stat ${quoteName(to)}: ${errorWords(error)}`);
      return "unreachable";
    }
  }

  async #describeFailure(
    from: string,
    to: string,
    stat: Stat,
    error: KernelError,
  ): Promise<string> {
    const { linksAs } = this.#options;
    const isLink = (await findStat(this.#run.sys, to, true))?.kind === "symlink";
    if (error.errno === "EEXIST" && isLink && linksAs === undefined)
      return `not writing through dangling symlink ${quoteName(to)}`;
    const tail = linksAs === undefined ? "" : ` to ${quoteName(from)}`;
    return `cannot create ${this.#describe(stat)} ${quoteName(to)}${tail}: ${errorWords(error)}`;
  }

  #describe(stat: Stat): string {
    const { linksAs } = this.#options;
    if (linksAs !== undefined) return linksAs === "hard" ? "hard link" : "symbolic link";
    return stat.kind === "symlink" ? "symbolic link" : "regular file";
  }

  async #link(from: string, to: string, existing: Stat | undefined): Promise<void> {
    const { sys } = this.#run;
    if (existing !== undefined && this.#options.isForced) await sys.unlink(to);
    await (this.#options.linksAs === "hard" ? sys.link(from, to) : sys.symlink(from, to));
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
    await keepAttributes(sys, to, stat, { ...this.#options, isNewDirectory: false });
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
        if (this.#options.isEmpty === true) return;
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
    const mode = this.#options.usesNewMode === true ? 0o666 : stat.mode & 0o777;
    if (existing === undefined) return sys.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    try {
      const truncation = this.#options.isEmpty === true ? 0 : O_TRUNC;
      return await sys.open(to, O_WRONLY | truncation | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error) || !this.#options.isForced) throw error;
      await sys.unlink(to);
      return sys.open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
  }
}
