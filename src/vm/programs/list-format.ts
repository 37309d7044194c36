/** How `ls` shows entries: one a line, in columns, or long. */
import { isKernelError, type Stat } from "../../kernel/index.ts";
import { showMode } from "./file-mode.ts";
import { formatTime } from "./format-time.ts";
import { fillCommas, layOut } from "./lay-out.ts";
import { NameDatabase } from "./name-database.ts";
import type { Run } from "./program.ts";
import { showSize } from "./show-size.ts";
import { textWidth } from "./text-width.ts";

export interface Listed {
  readonly name: string;
  readonly path: string;
  readonly stat?: Stat;
  /** What a link leads to, where that is there. */
  readonly target?: Stat;
}

/** Six months, as GNU counts them: older times show their year. */
const RECENT_MS = (31_556_952 / 2) * 1000;

export class ListFormat {
  readonly #run: Run;
  readonly #names: NameDatabase;
  readonly #width: number;
  readonly #nowMs: number;
  readonly #layout: "single" | "columns" | "across" | "commas" | "long";
  readonly #isTerminal: boolean;

  static async create(run: Run): Promise<ListFormat> {
    const columns = await terminalWidth(run);
    return new ListFormat(run, columns, (await run.sys.clock()).nowMs);
  }

  constructor(run: Run, columns: number | undefined, nowMs: number) {
    this.#run = run;
    this.#names = new NameDatabase(run.sys);
    this.#isTerminal = columns !== undefined;
    this.#width = Number(run.options.get("width") ?? columns ?? 80) || Number.POSITIVE_INFINITY;
    this.#nowMs = nowMs;
    const last = run.options.last(
      "l",
      "g",
      "o",
      "n",
      "numeric-uid-gid",
      "full-time",
      "C",
      "x",
      "m",
      "1",
    );
    this.#layout =
      last === undefined
        ? columns === undefined
          ? "single"
          : "columns"
        : (layouts.get(last) ?? "long");
    if (last === "1" && longOptions.some((name) => run.has(name))) this.#layout = "long";
  }

  get isLong(): boolean {
    return this.#layout === "long";
  }

  get isClassifying(): boolean {
    return this.#run.has("classify");
  }

  get needsStat(): boolean {
    const { options } = this.#run;
    return (
      this.isLong ||
      this.isClassifying ||
      options.has("p") ||
      options.has("inode") ||
      options.has("size")
    );
  }

  timeOf({ stat }: Listed): number {
    const which = this.#run.options.last("c", "u");
    if (stat === undefined) return 0;
    return which === "c" ? stat.ctimeMs : which === "u" ? stat.atimeMs : stat.mtimeMs;
  }

  quote(name: string): string {
    if (this.#run.has("quote-name"))
      return `"${name.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
    if (!this.#isTerminal || this.#run.has("literal")) return name;
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    if (!/[\s"'$&()*;<>?[\\\]^`{|}!#~=\x00-\x1f]/.test(name) && name !== "") return name;
    return name.includes("'") ? `"${name}"` : `'${name}'`;
  }

  /** Prints entries; those of a directory with its total. */
  async print(entries: readonly Listed[], isDirectory: boolean): Promise<void> {
    const { out } = this.#run;
    if (isDirectory && (this.isLong || this.#run.has("size"))) {
      const blocks = entries.reduce((sum, { stat }) => sum + (stat?.blocks ?? 0), 0);
      out.addText(`total ${this.#blocks(blocks)}\n`);
    }
    if (this.isLong) return this.#printLong(entries);
    const cells = this.#cells(entries);
    switch (this.#layout) {
      case "columns":
        out.addText(layOut(cells, this.#width, "down"));
        return;
      case "across":
        out.addText(layOut(cells, this.#width, "across"));
        return;
      case "commas":
        out.addText(fillCommas(cells, this.#width));
        return;
      default:
        for (const cell of cells) out.addText(`${cell}\n`);
    }
  }

  #blocks(count: number): string {
    const { options } = this.#run;
    if (options.has("human-readable") || options.has("si"))
      return showSize(count * 512, options.has("si") ? 1000 : 1024);
    return String(Math.ceil(count / 2));
  }

  #cells(entries: readonly Listed[]): string[] {
    const { options } = this.#run;
    const isNumbered = options.has("inode");
    const inodes = isNumbered ? entries.map(({ stat }) => String(stat?.ino ?? "?")) : [];
    const inodeWidth = Math.max(0, ...inodes.map((text) => text.length));
    const sizes = options.has("size")
      ? entries.map(({ stat }) => this.#blocks(stat?.blocks ?? 0))
      : [];
    const sizeWidth = Math.max(0, ...sizes.map((text) => text.length));
    return entries.map((entry, at) => {
      const inode = isNumbered ? `${(inodes[at] ?? "").padStart(inodeWidth)} ` : "";
      const size = options.has("size") ? `${(sizes[at] ?? "").padStart(sizeWidth)} ` : "";
      return `${inode}${size}${this.quote(entry.name)}${this.#mark(entry.stat)}`;
    });
  }

  #mark(stat: Stat | undefined): string {
    if (stat?.kind === "directory" && this.#run.has("p")) return "/";
    if (!this.isClassifying || stat === undefined) return "";
    switch (stat.kind) {
      case "directory":
        return "/";
      case "symlink":
        return this.isLong ? "" : "@";
      case "fifo":
        return "|";
      case "socket":
        return "=";
      case "file":
        return (stat.mode & 0o111) === 0 ? "" : "*";
      case "device":
        return "";
    }
  }

  async #printLong(entries: readonly Listed[]): Promise<void> {
    const { out } = this.#run;
    const rows: string[][] = [];
    for (const entry of entries) rows.push(await this.#longRow(entry));
    const widths = (rows[0] ?? []).map((_, column) =>
      Math.max(...rows.map((row) => textWidth(row[column] ?? ""))),
    );
    for (const [at, row] of rows.entries()) {
      const cells = row.map((cell, column) => this.#align(cell, widths[column] ?? 0, column));
      const entry = entries[at];
      if (entry !== undefined) out.addText(`${cells.join(" ")} ${await this.#longName(entry)}\n`);
      if (out.isFull) await out.flush();
    }
  }

  /** Names of owners are aligned left, numbers right. */
  #align(cell: string, width: number, column: number): string {
    const kind = this.#columns()[column];
    if (kind === "owner" && !this.#isNumeric()) return cell + " ".repeat(width - textWidth(cell));
    return cell.padStart(width);
  }

  #isNumeric(): boolean {
    return this.#run.has("numeric-uid-gid");
  }

  #columns(): string[] {
    const { options } = this.#run;
    const hasOwner = !options.has("g");
    const hasGroup = !options.has("o") && !options.has("no-group");
    return [
      ...(options.has("inode") ? ["inode"] : []),
      ...(options.has("size") ? ["blocks"] : []),
      "mode",
      "links",
      ...(hasOwner ? ["owner"] : []),
      ...(hasGroup ? ["owner"] : []),
      "size",
      "time",
    ];
  }

  async #longRow(entry: Listed): Promise<string[]> {
    const { options } = this.#run;
    const { stat } = entry;
    if (stat === undefined) return [];
    const user = this.#isNumeric() ? String(stat.uid) : await this.#names.userName(stat.uid);
    const group = this.#isNumeric() ? String(stat.gid) : await this.#names.groupName(stat.gid);
    return [
      ...(options.has("inode") ? [String(stat.ino)] : []),
      ...(options.has("size") ? [this.#blocks(stat.blocks)] : []),
      showMode(stat.kind, stat.mode),
      String(stat.nlink),
      ...(options.has("g") ? [] : [user]),
      ...(options.has("o") || options.has("no-group") ? [] : [group]),
      this.#size(stat),
      this.#time(this.timeOf(entry)),
    ];
  }

  #size(stat: Stat): string {
    const { options } = this.#run;
    if (stat.kind === "device") return `${stat.rdev >> 8}, ${String(stat.rdev & 0xff).padStart(3)}`;
    if (!options.has("human-readable") && !options.has("si")) return String(stat.size);
    return showSize(stat.size, options.has("si") ? 1000 : 1024);
  }

  #time(timeMs: number): string {
    const { options } = this.#run;
    const style = options.has("full-time") ? "full-iso" : (options.get("time-style") ?? "locale");
    const isRecent = timeMs > this.#nowMs - RECENT_MS && timeMs <= this.#nowMs + 1000;
    if (style.startsWith("+")) return formatTime(style.slice(1), timeMs);
    if (style === "full-iso") return `${formatTime("%Y-%m-%d %H:%M:%S.%N %z", timeMs)}`;
    if (style === "long-iso") return formatTime("%Y-%m-%d %H:%M", timeMs);
    if (style === "iso") return formatTime(isRecent ? "%m-%d %H:%M" : "%Y-%m-%d ", timeMs);
    return formatTime(isRecent ? "%b %e %H:%M" : "%b %e  %Y", timeMs);
  }

  async #longName(entry: Listed): Promise<string> {
    const name = `${this.quote(entry.name)}${this.#mark(entry.stat)}`;
    if (entry.stat?.kind !== "symlink") return name;
    try {
      const target = await this.#run.sys.readlink(entry.path);
      return `${name} -> ${this.quote(target)}${this.#mark(entry.target)}`;
    } catch (error) {
      if (isKernelError(error)) return name;
      throw error;
    }
  }
}

const layouts = new Map<string, "single" | "columns" | "across" | "commas">([
  ["C", "columns"],
  ["x", "across"],
  ["m", "commas"],
  ["1", "single"],
]);

const longOptions = ["l", "g", "o", "numeric-uid-gid", "full-time"];

async function terminalWidth(run: Run): Promise<number | undefined> {
  try {
    const size = await run.sys.ioctl(1, { request: "TIOCGWINSZ" });
    return typeof size === "object" && "cols" in size && size.cols > 0 ? size.cols : 80;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
