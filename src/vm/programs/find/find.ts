import { isKernelError, type Stat } from "../../../kernel/index.ts";
import { baseName, forEachEntry, joinPath, type PathFrom } from "../directory.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { type FindTest, parseExpression } from "./expression.ts";
import type { FindFile } from "./file.ts";

/** Deeper trees than this are not walked. */
const DEPTH_LIMIT = 8192;

/** find's expression looks like options and is none: only what stands before the paths is read here. */
export const main = defineProgram(
  {
    name: "find",
    usage: ["[-H] [-L] [-P] [path...] [expression]"],
    summary:
      "Search for files in a directory hierarchy.\n\nTests: -name -iname -path -ipath -regex -type -size -empty -newer -mtime -mmin -perm -user -group -uid -gid\n-links -inum -readable -writable -executable -true -false; actions: -print -print0 -printf -delete -exec -ok\n-quit -prune -ls; options: -maxdepth -mindepth -depth -xdev; operators: ( ) ! -not -a -and -o -or ,",
    options: [
      { short: "H", help: "follow symbolic links on the command line" },
      { short: "L", help: "follow symbolic links" },
      { short: "P", help: "never follow symbolic links (default)" },
      { short: "O", value: "LEVEL", isOptional: true, help: "(ignored: tests run as written)" },
      { short: "D", value: "FLAGS", help: "(ignored: there is nothing to trace)" },
    ],
    stopsAtOperand: true,
    isOperand: (word) => !/^-(?:[HLP]+|O.*|D)$/.test(word) && !/^--(?:help|version)$/.test(word),
  },
  async (run) => {
    const words = run.operands;
    if (run.has("O") && !/^\d+$/.test(run.options.get("O") ?? ""))
      throw new UsageError("The -O option must be immediately followed by a decimal integer", {
        hasHint: false,
      });
    const start = words.findIndex((word) => /^(?:-.+|[()!,])$/.test(word));
    const paths = start === -1 ? words : words.slice(0, start);
    const { nowMs } = await run.sys.clock();
    const expression = await parseExpression(run, start === -1 ? [] : words.slice(start), nowMs);
    const walk = new FindWalk(run, expression);
    for (const path of paths.length === 0 ? ["."] : paths) await walk.start(path);
    await expression.finish();
    return expression.hasFailed() ? 1 : undefined;
  },
);

/** A file on the walk: its path as it is shown, and how it is reached. */
interface Met {
  readonly path: string;
  readonly name: string;
  readonly at: PathFrom;
}

class FindWalk {
  readonly #run: Run;
  readonly #expression: FindTest;
  readonly #follows: "all" | "operands" | "none";
  /** Directories on the way to here, by identity: links may lead back. */
  readonly #entered = new Map<string, string>();
  #device: number | undefined;

  constructor(run: Run, expression: FindTest) {
    this.#run = run;
    this.#expression = expression;
    const last = run.options.last("H", "L", "P");
    const isFollowing = last === "L" || expression.options.isFollowing;
    this.#follows = isFollowing ? "all" : last === "H" ? "operands" : "none";
  }

  async start(path: string): Promise<void> {
    if (path === "") return this.#run.fail("'': No such file or directory");
    await this.#visit({ path, name: baseName(path), at: path }, 0);
  }

  /** Answers nothing; `-quit` unwinds by the expression's own flag. */
  async #visit({ path, name, at }: Met, depth: number): Promise<void> {
    const { maxDepth, minDepth, isDepthFirst } = this.#expression.options;
    if (this.#expression.isQuit()) return;
    const stat = await this.#look(path, at, depth);
    if (stat === undefined) return;
    if (this.#follows === "all" && (await this.#isLoop(path, stat))) return;
    const file: FindFile = { path, name, stat, depth, isPruned: false };
    const isTested = depth >= minDepth;
    const testing = isTested && !isDepthFirst ? this.#expression.test(file) : false;
    if (testing instanceof Promise) await testing;
    if (depth === 0) this.#device = stat.dev;
    const isElsewhere = this.#expression.options.staysOnDevice && stat.dev !== this.#device;
    const isEntered = depth < maxDepth && depth < DEPTH_LIMIT && !file.isPruned && !isElsewhere;
    if (stat.kind === "directory" && isEntered) await this.#enter(path, depth, stat);
    if (isTested && isDepthFirst && !this.#expression.isQuit()) await this.#expression.test(file);
    if (this.#run.out.isFull) await this.#run.out.flush();
  }

  async #enter(path: string, depth: number, stat: Stat): Promise<void> {
    const identity = `${stat.dev}:${stat.ino}`;
    this.#entered.set(identity, path);
    try {
      await forEachEntry(this.#run.sys, { path, depth }, ({ name }, at) =>
        this.#visit({ path: joinPath(path, name), name, at }, depth + 1),
      );
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${quoteName(path)}: ${errorWords(error)}`);
    } finally {
      this.#entered.delete(identity);
    }
  }

  async #look(path: string, at: PathFrom, depth: number): Promise<Stat | undefined> {
    const { sys } = this.#run;
    const isFollowed = this.#follows === "all" || (this.#follows === "operands" && depth === 0);
    try {
      const link = await sys.lstat(at);
      if (!isFollowed || link.kind !== "symlink") return link;
      return await this.#target(at, link);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${quoteName(path)}: ${errorWords(error)}`);
      return undefined;
    }
  }

  async #isLoop(path: string, stat: Stat): Promise<boolean> {
    if (stat.kind !== "directory") return false;
    const first = this.#entered.get(`${stat.dev}:${stat.ino}`);
    if (first === undefined) return false;
    await this.#run.fail(
      `File system loop detected; ${quoteName(path)} is part of the same file system loop as ${quoteName(first)}.`,
    );
    return true;
  }

  async #target(at: PathFrom, link: Stat): Promise<Stat> {
    try {
      return await this.#run.sys.stat(at);
    } catch (error) {
      if (isKernelError(error)) return link;
      throw error;
    }
  }
}
