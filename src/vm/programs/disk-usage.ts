/** Adding up what files take, for `du`. */
import { isKernelError, type Stat } from "../../kernel/index.ts";
import { joinPath, readDirectory } from "./directory.ts";
import { diskBlocks } from "./disk-blocks.ts";
import { formatTime } from "./format-time.ts";
import { errorWords, quoteName, type Run } from "./program.ts";

export interface UsagePlan {
  readonly maxDepth: number;
  readonly isApparent: boolean;
  readonly show: (amount: number) => string;
  /** Entries below it, or above it where it is negative, are left out. */
  readonly threshold: number;
  /** Which time `--time` shows. */
  readonly time: "atimeMs" | "ctimeMs" | "mtimeMs";
  readonly excluded: readonly ((name: string) => boolean)[];
}

interface Sum {
  readonly amount: number;
  readonly newestMs: number;
}

export class DiskUsage {
  readonly #run: Run;
  readonly #plan: UsagePlan;
  /** Files with several names that were counted. */
  readonly #seen = new Set<string>();
  /** With several operands every file may come twice. */
  #hasSeveral = false;

  constructor(run: Run, plan: UsagePlan) {
    this.#run = run;
    this.#plan = plan;
  }

  /** `list` is the file the names are from. */
  async print(names: readonly string[], list?: string): Promise<void> {
    this.#hasSeveral = names.length > 1 || this.#run.has("dereference");
    let total = 0;
    let newestMs = 0;
    for (const [at, name] of names.entries()) {
      if (name === "") {
        const place = list === undefined ? "" : `${list}:${at + 1}: `;
        await this.#run.fail(`${place}invalid zero-length file name`);
        continue;
      }
      const sum = await this.#add(name, 0, undefined);
      total += sum.amount;
      newestMs = Math.max(newestMs, sum.newestMs);
    }
    if (this.#run.has("total")) this.#line({ amount: total, newestMs }, "total");
  }

  /** What a file and all below it take. */
  async #add(path: string, depth: number, dev: number | undefined): Promise<Sum> {
    const nothing: Sum = { amount: 0, newestMs: 0 };
    if (this.#isExcluded(path)) return nothing;
    const stat = await this.#stat(path, depth);
    if (stat === undefined || this.#isCounted(stat)) return nothing;
    if (dev !== undefined && stat.dev !== dev && this.#run.has("one-file-system")) return nothing;
    const own = this.#run.has("inodes") ? 1 : this.#sizeOf(stat);
    if (stat.kind !== "directory") {
      const sum = { amount: own, newestMs: stat[this.#plan.time] };
      if (depth === 0 || (this.#run.has("all") && depth <= this.#plan.maxDepth))
        this.#line(sum, path);
      return sum;
    }
    return this.#addDirectory(path, depth, { ...stat, size: own });
  }

  async #addDirectory(path: string, depth: number, stat: Stat): Promise<Sum> {
    const isSeparate = this.#run.has("separate-dirs");
    let whole = stat.size;
    let shown = stat.size;
    let newestMs = stat[this.#plan.time];
    for (const { name, kind } of await this.#list(path)) {
      const below = await this.#add(joinPath(path, name), depth + 1, stat.dev);
      whole += below.amount;
      if (!isSeparate || kind !== "directory") shown += below.amount;
      newestMs = Math.max(newestMs, below.newestMs);
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    if (depth <= this.#plan.maxDepth) this.#line({ amount: shown, newestMs }, path);
    return { amount: isSeparate ? shown : whole, newestMs };
  }

  async #list(path: string): Promise<readonly { readonly name: string; readonly kind: string }[]> {
    try {
      return await readDirectory(this.#run.sys, path);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`cannot read directory ${quoteName(path)}: ${errorWords(error)}`);
      return [];
    }
  }

  async #stat(path: string, depth: number): Promise<Stat | undefined> {
    const { sys } = this.#run;
    const follows = this.#run.options.last(
      "dereference",
      "no-dereference",
      "dereference-args",
      "H",
    );
    const isFollowed =
      follows === "dereference" ||
      (depth === 0 && (follows === "dereference-args" || follows === "H"));
    try {
      return await (isFollowed ? sys.stat(path) : sys.lstat(path));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`cannot access ${quoteName(path)}: ${errorWords(error)}`);
      return undefined;
    }
  }

  #sizeOf(stat: Stat): number {
    if (!this.#plan.isApparent) return diskBlocks(stat) * 512;
    return stat.kind === "file" || stat.kind === "symlink" || stat.kind === "directory"
      ? stat.size
      : 0;
  }

  /** A file that has several names counts once. */
  #isCounted(stat: Stat): boolean {
    if (this.#run.has("count-links")) return false;
    const key = `${stat.dev}:${stat.ino}`;
    if (this.#seen.has(key)) return true;
    if (stat.nlink > 1 || this.#hasSeveral) this.#seen.add(key);
    return false;
  }

  #isExcluded(path: string): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return this.#plan.excluded.some((matches) => matches(name) || matches(path));
  }

  #line({ amount, newestMs }: Sum, path: string): void {
    const { threshold } = this.#plan;
    if (threshold > 0 && amount < threshold) return;
    if (threshold < 0 && amount > -threshold) return;
    const time = this.#run.has("time") ? `\t${formatTime(timeFormat(this.#run), newestMs)}` : "";
    const end = this.#run.has("null") ? "\0" : "\n";
    this.#run.out.addText(`${this.#plan.show(amount)}${time}\t${path}${end}`);
  }
}

function timeFormat(run: Run): string {
  const style = run.options.get("time-style") ?? "long-iso";
  if (style.startsWith("+")) return style.slice(1);
  if (style === "full-iso") return "%Y-%m-%d %H:%M:%S.%N %z";
  return style === "iso" ? "%Y-%m-%d" : "%Y-%m-%d %H:%M";
}
