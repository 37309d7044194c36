import { isKernelError, type Stat } from "../../kernel/index.ts";
import { baseName, joinPath, readDirectory } from "./directory.ts";
import { type FindTest, parseExpression } from "./find-expression.ts";
import type { FindFile } from "./find-file.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

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
    ],
    stopsAtOperand: true,
    isOperand: (word) => !/^-[HLP]+$/.test(word) && !/^--(?:help|version)$/.test(word),
  },
  async (run) => {
    const words = run.operands;
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

class FindWalk {
  readonly #run: Run;
  readonly #expression: FindTest;
  readonly #follows: "all" | "operands" | "none";

  constructor(run: Run, expression: FindTest) {
    this.#run = run;
    this.#expression = expression;
    const last = run.options.last("H", "L", "P");
    this.#follows = last === "L" ? "all" : last === "H" ? "operands" : "none";
  }

  async start(path: string): Promise<void> {
    if (path === "") throw new UsageError("''", { hasHint: false });
    await this.#visit(path, baseName(path), 0);
  }

  /** Answers nothing; `-quit` unwinds by the expression's own flag. */
  async #visit(path: string, name: string, depth: number): Promise<void> {
    const { maxDepth, minDepth, isDepthFirst } = this.#expression.options;
    if (this.#expression.isQuit()) return;
    const stat = await this.#look(path, depth);
    if (stat === undefined) return;
    const file: FindFile = { path, name, stat, depth, isPruned: false };
    const isTested = depth >= minDepth;
    if (isTested && !isDepthFirst) await this.#expression.test(file);
    if (stat.kind === "directory" && depth < maxDepth && !file.isPruned && depth < DEPTH_LIMIT)
      await this.#enter(path, depth);
    if (isTested && isDepthFirst && !this.#expression.isQuit()) await this.#expression.test(file);
    if (this.#run.out.isFull) await this.#run.out.flush();
  }

  async #enter(path: string, depth: number): Promise<void> {
    try {
      for (const { name } of await readDirectory(this.#run.sys, path))
        await this.#visit(joinPath(path, name), name, depth + 1);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${quoteName(path)}: ${errorWords(error)}`);
    }
  }

  async #look(path: string, depth: number): Promise<Stat | undefined> {
    const { sys } = this.#run;
    const isFollowed = this.#follows === "all" || (this.#follows === "operands" && depth === 0);
    try {
      const link = await sys.lstat(path);
      if (!isFollowed || link.kind !== "symlink") return link;
      return await this.#target(path, link);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${quoteName(path)}: ${errorWords(error)}`);
      return undefined;
    }
  }

  async #target(path: string, link: Stat): Promise<Stat> {
    try {
      return await this.#run.sys.stat(path);
    } catch (error) {
      if (isKernelError(error)) return link;
      throw error;
    }
  }
}
