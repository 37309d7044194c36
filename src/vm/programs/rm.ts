import {
  isKernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Stat,
  W_OK,
} from "../../kernel/index.ts";
import { askYes } from "./ask-yes.ts";
import { chooseWord } from "./choose-word.ts";
import { describeKind } from "./describe-kind.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { isTerminal } from "./is-terminal.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

/** Deeper trees than this are refused before the stack is. */
const DEPTH_LIMIT = 8192;

export const main = defineProgram(
  {
    name: "rm",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Remove (unlink) the FILE(s).",
    options: [
      { short: "f", long: "force", help: "ignore nonexistent files and arguments, never prompt" },
      { short: "i", help: "prompt before every removal" },
      {
        short: "I",
        help: "prompt once before removing more than three files, or\nwhen removing recursively",
      },
      {
        long: "interactive",
        value: "WHEN",
        isOptional: true,
        help: "prompt according to WHEN: never, once (-I), or\nalways (-i)",
      },
      {
        long: "one-file-system",
        help: "skip any directory that is on a file system different\nfrom that of its argument",
      },
      { long: "no-preserve-root", help: "do not treat '/' specially" },
      {
        long: "preserve-root",
        value: "all",
        isOptional: true,
        help: "do not remove '/' (default)",
      },
      { short: "r", long: "recursive", help: "remove directories and their contents recursively" },
      { short: "R", help: "same as -r" },
      { short: "d", long: "dir", help: "remove empty directories" },
      { short: "v", long: "verbose", help: "explain what is being done" },
    ],
  },
  async (run) => {
    const root = run.options.get("preserve-root") ?? "";
    if (root !== "" && root !== "all")
      throw new UsageError(`unrecognized --preserve-root argument: ${quoteName(root)}`, {
        hasHint: false,
      });
    if (run.operands.length === 0 && !run.has("force")) throw new UsageError("missing operand");
    if (!(await confirmAll(run))) return 0;
    const removal = new Removal(run);
    for (const operand of run.operands) await removal.removeOperand(operand);
    return undefined;
  },
);

async function confirmAll(run: Run): Promise<boolean> {
  for (const word of run.options.all("interactive"))
    if (word !== "") chooseWord(word, "--interactive", interactiveChoices);
  const mode = run.options.last("I", "i", "interactive", "force");
  const isOnce =
    mode === "I" || (mode === "interactive" && run.options.get("interactive") === "once");
  const isRecursive = run.has("recursive") || run.has("R");
  if (!isOnce || (run.operands.length <= 3 && !isRecursive)) return true;
  const count = run.operands.length;
  const what = `${count} argument${count === 1 ? "" : "s"}${isRecursive ? " recursively" : ""}`;
  return askYes(run, `rm: remove ${what}? `);
}

const interactiveChoices = [["never", "no", "none"], ["once"], ["always", "yes"]] as const;

/** Paths longer than this are entered. */
const LONG_PATH = 1024;

class Removal {
  readonly #run: Run;
  readonly #isRecursive: boolean;
  readonly #asks: boolean;
  readonly #isForced: boolean;

  constructor(run: Run) {
    this.#run = run;
    this.#isRecursive = run.has("recursive") || run.has("R");
    const mode = run.options.last("i", "force", "interactive");
    this.#asks =
      mode === "i" ||
      (mode === "interactive" &&
        ["", "always", "yes"].includes(run.options.get("interactive") ?? ""));
    this.#isForced = mode === "force";
  }

  async removeOperand(operand: string): Promise<void> {
    const run = this.#run;
    const last = operand.replace(/(.)\/+$/s, "$1");
    if (this.#isRecursive && /^\/+$/.test(operand) && !run.has("no-preserve-root")) {
      await run.warn("it is dangerous to operate recursively on '/'");
      await run.fail("use --no-preserve-root to override this failsafe");
      return;
    }
    try {
      const stat = await run.sys.lstat(operand);
      if (/(?:^|\/)\.\.?$/.test(last) && this.#isRecursive)
        await run.fail(`refusing to remove '.' or '..' directory: skipping ${quoteName(operand)}`);
      else await this.#remove(operand, stat, 0);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (this.#isForced && (error.errno === "ENOENT" || error.errno === "ENOTDIR")) return;
      await run.fail(`cannot remove ${quoteName(operand)}: ${errorWords(error)}`);
    }
  }

  /** Answers whether it is gone. What fails below has been said. */
  async #remove(path: string, stat: Stat, depth: number): Promise<boolean> {
    const run = this.#run;
    if (stat.kind === "directory") return this.#removeDirectory(path, depth);
    if (!(await this.#confirm(path, stat))) return false;
    await run.sys.unlink(path);
    if (run.has("verbose")) run.out.addText(`removed ${quoteName(path)}\n`);
    return true;
  }

  async #removeDirectory(path: string, depth: number): Promise<boolean> {
    const run = this.#run;
    if (!this.#isRecursive && !run.has("dir")) {
      await run.fail(`cannot remove ${quoteName(path)}: Is a directory`);
      return false;
    }
    if (depth > DEPTH_LIMIT) {
      await run.fail(`cannot remove ${quoteName(path)}: File name too long`);
      return false;
    }
    const entries = this.#isRecursive ? await readDirectory(run.sys, path) : [];
    if (
      this.#asks &&
      entries.length > 0 &&
      !(await askYes(run, `rm: descend into directory ${quoteName(path)}? `))
    )
      return false;
    const isEmpty = await this.#removeEntries(path, entries, depth);
    if (!isEmpty && !this.#asks) return false;
    if (this.#asks && !(await askYes(run, `rm: remove directory ${quoteName(path)}? `)))
      return false;
    await run.sys.rmdir(path);
    if (run.has("verbose")) run.out.addText(`removed directory ${quoteName(path)}\n`);
    return true;
  }

  /** Answers whether all are gone. Below a long path it works from within: no path may be too long. */
  async #removeEntries(
    path: string,
    entries: readonly { readonly name: string }[],
    depth: number,
  ): Promise<boolean> {
    const { sys } = this.#run;
    const isDeep = path.length > LONG_PATH && entries.length > 0;
    const back = isDeep ? await sys.open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (isDeep) await sys.chdir(path);
    let isEmpty = true;
    for (const { name } of entries) {
      const below = isDeep ? `./${name}` : joinPath(path, name);
      if (!(await this.#removeBelow(below, depth))) isEmpty = false;
    }
    if (isDeep) {
      await sys.fchdir(back);
      await sys.close(back);
    }
    return isEmpty;
  }

  async #removeBelow(path: string, depth: number): Promise<boolean> {
    const run = this.#run;
    if (depth % 64 === 63) await run.sys.schedYield();
    try {
      return await this.#remove(path, await run.sys.lstat(path), depth + 1);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.fail(`cannot remove ${quoteName(path)}: ${errorWords(error)}`);
      return false;
    }
  }

  /** Asks under -i, and before a protected file when somebody is there to answer. */
  async #confirm(path: string, stat: Stat): Promise<boolean> {
    const run = this.#run;
    const kind = describeKind(stat);
    if (this.#asks) return askYes(run, `rm: remove ${kind} ${quoteName(path)}? `);
    if (this.#isForced || stat.kind === "symlink" || !(await isTerminal(run.sys, 0))) return true;
    try {
      await run.sys.access(path, W_OK);
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return askYes(run, `rm: remove write-protected ${kind} ${quoteName(path)}? `);
    }
  }
}
