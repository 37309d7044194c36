/** How `ls` shows entries: one a line, in columns, or long. */
import { isKernelError, type Stat } from "../../../kernel/index.ts";
import { diskBlocks } from "../disk-blocks.ts";
import { showMode } from "../file-mode.ts";
import { formatTime } from "../format-time.ts";
import { fillCommas, layOut } from "../lay-out.ts";
import { NameDatabase } from "../name-database.ts";
import type { Run } from "../program.ts";
import { maskUnprintable, quoteAs } from "../quote-style.ts";
import { textWidth } from "../text-width.ts";
import { type TimeZone, zoneOf } from "../time-zone.ts";
import { Colours } from "./colours.ts";
import { type ListPlan, readPlan } from "./plan.ts";

export interface Listed {
  readonly name: string;
  readonly path: string;
  readonly stat?: Stat;
  /** What a link leads to, where that is there. */
  readonly target?: Stat;
}

/** Six months, as GNU counts them: older times show their year. */
const RECENT_MS = (31_556_952 / 2) * 1000;
/** Escape sequences, which take no room. */
// oxlint-disable-next-line no-control-regex -- an escape sequence starts with a control character
const colourCode = /\u001B\[[\d;]*m/g;

export class ListFormat {
  readonly plan: ListPlan;
  readonly #run: Run;
  readonly #names: NameDatabase;
  readonly #nowMs: number;
  readonly #colours: Colours | undefined;
  readonly #zone: TimeZone;

  static async create(run: Run): Promise<ListFormat> {
    const plan = await readPlan(run);
    const colours = plan.isColoured
      ? new Colours((await run.sys.environ()).get("LS_COLORS"))
      : undefined;
    const time = { nowMs: (await run.sys.clock()).nowMs, zone: await zoneOf(run.sys) };
    return new ListFormat(run, plan, time, colours);
  }

  constructor(
    run: Run,
    plan: ListPlan,
    { nowMs, zone }: { readonly nowMs: number; readonly zone: TimeZone },
    colours: Colours | undefined,
  ) {
    this.#run = run;
    this.plan = plan;
    this.#names = new NameDatabase(run.sys);
    this.#nowMs = nowMs;
    this.#zone = zone;
    this.#colours = colours;
  }

  get isLong(): boolean {
    return this.plan.layout === "long";
  }

  get needsStat(): boolean {
    const { options } = this.#run;
    return (
      this.isLong ||
      this.plan.indicator !== "none" ||
      this.plan.isColoured ||
      options.has("inode") ||
      options.has("size")
    );
  }

  timeOf({ stat }: Listed): number {
    if (stat === undefined) return 0;
    const { time } = this.plan;
    return time === "ctime" ? stat.ctimeMs : time === "atime" ? stat.atimeMs : stat.mtimeMs;
  }

  quote(name: string): string {
    const quoted = quoteAs(this.plan.quoteStyle, name);
    return this.plan.masksUnprintable ? maskUnprintable(quoted) : quoted;
  }

  /** Prints entries; those of a directory with its total. */
  async print(entries: readonly Listed[], isDirectory: boolean): Promise<void> {
    const { out } = this.#run;
    const { layout, width, tabSize, end } = this.plan;
    if (isDirectory && (this.isLong || this.#run.has("size"))) {
      const blocks = entries.reduce(
        (sum, { stat }) => sum + (stat === undefined ? 0 : diskBlocks(stat)),
        0,
      );
      out.addText(`total ${this.plan.showBlocks(blocks * 512)}${end}`);
    }
    if (this.isLong) return this.#printLong(entries);
    const cells = this.#cells(entries);
    if (layout === "columns" || layout === "across") {
      const order = layout === "columns" ? "down" : "across";
      out.addText(layOut(cells, { width, tabSize, order, widthOf: shownWidth }));
    } else if (layout === "commas") out.addText(fillCommas(cells, width));
    else for (const cell of cells) out.addText(`${cell}${end}`);
  }

  #cells(entries: readonly Listed[]): string[] {
    const { options } = this.#run;
    const inodes = this.#column(entries, options.has("inode"), (stat) => String(stat.ino));
    const contexts = this.#column(entries, options.has("context"), () => "?");
    const sizes = this.#column(entries, options.has("size"), (stat) =>
      this.plan.showBlocks(diskBlocks(stat) * 512),
    );
    return entries.map(
      (entry, at) =>
        `${inodes[at]}${sizes[at]}${contexts[at]}${this.#paint(entry)}${this.#mark(entry.stat)}`,
    );
  }

  /** A column before the names, of one width; empty where it is not shown. */
  #column(
    entries: readonly Listed[],
    isShown: boolean,
    show: (stat: Stat) => string,
  ): readonly string[] {
    if (!isShown) return entries.map(() => "");
    const texts = entries.map(({ stat }) => (stat === undefined ? "?" : show(stat)));
    const isRagged = this.plan.layout === "commas";
    const width = isRagged ? 0 : texts.reduce((most, text) => Math.max(most, text.length), 0);
    return texts.map((text) => `${text.padStart(width)} `);
  }

  #paint({ name, stat, target }: Listed): string {
    const shown = this.quote(name);
    return this.#colours?.paint(shown, name, stat, target) ?? shown;
  }

  #mark(stat: Stat | undefined): string {
    const { indicator } = this.plan;
    if (stat === undefined || indicator === "none") return "";
    if (stat.kind === "directory") return "/";
    if (indicator === "slash") return "";
    switch (stat.kind) {
      case "symlink":
        return this.isLong ? "" : "@";
      case "fifo":
        return "|";
      case "socket":
        return "=";
      case "file":
        return indicator === "classify" && (stat.mode & 0o111) !== 0 ? "*" : "";
      case "device":
      case "anonymous":
        return "";
    }
  }

  async #printLong(entries: readonly Listed[]): Promise<void> {
    const { out } = this.#run;
    const kinds = this.#columns();
    const rows: string[][] = [];
    for (const entry of entries) rows.push(await this.#longRow(entry, kinds));
    const widths = kinds.map((_, column) =>
      rows.reduce((most, row) => Math.max(most, textWidth(row[column] ?? "")), 0),
    );
    for (const [at, row] of rows.entries()) {
      const cells = row.map((cell, column) => {
        const missing = " ".repeat((widths[column] ?? 0) - textWidth(cell));
        return this.#isLeft(kinds[column]) ? cell + missing : missing + cell;
      });
      const entry = entries[at];
      if (entry !== undefined)
        out.addText(`${cells.join(" ")} ${await this.#longName(entry)}${this.plan.end}`);
      if (out.isFull) await out.flush();
    }
  }

  /** Names of owners are aligned left, numbers right. */
  #isLeft(kind: string | undefined): boolean {
    if (kind === "mode" || kind === "context") return true;
    const isOwner = kind === "owner" || kind === "group" || kind === "author";
    return isOwner && !this.#run.has("numeric-uid-gid");
  }

  #columns(): string[] {
    const { options } = this.#run;
    return [
      ...(options.has("inode") ? ["inode"] : []),
      ...(options.has("size") ? ["blocks"] : []),
      "mode",
      "links",
      ...(options.has("g") ? [] : ["owner"]),
      ...(options.has("o") || options.has("no-group") ? [] : ["group"]),
      ...(options.has("author") ? ["author"] : []),
      ...(options.has("context") ? ["context"] : []),
      "size",
      "time",
    ];
  }

  async #longRow(entry: Listed, kinds: readonly string[]): Promise<string[]> {
    const { stat } = entry;
    if (stat === undefined) return kinds.map(() => "?");
    const isNumeric = this.#run.has("numeric-uid-gid");
    const user = isNumeric ? String(stat.uid) : await this.#names.userName(stat.uid);
    const group = isNumeric ? String(stat.gid) : await this.#names.groupName(stat.gid);
    const cells: Readonly<Record<string, string>> = {
      inode: String(stat.ino),
      blocks: this.plan.showBlocks(diskBlocks(stat) * 512),
      mode: showMode(stat.kind, stat.mode),
      links: String(stat.nlink),
      owner: user,
      group,
      author: user,
      context: "?",
      size: this.#size(stat),
      time: this.#time(this.timeOf(entry)),
    };
    return kinds.map((kind) => cells[kind] ?? "");
  }

  #size(stat: Stat): string {
    if (stat.kind === "device") return `${stat.rdev >> 8}, ${String(stat.rdev & 0xff).padStart(3)}`;
    return this.plan.showSize(stat.size);
  }

  #time(timeMs: number): string {
    const style = this.plan.timeStyle;
    const isRecent = timeMs > this.#nowMs - RECENT_MS && timeMs <= this.#nowMs + 1000;
    if (style.startsWith("+")) {
      const [old = "", recent = old] = style.slice(1).split("\n");
      return formatTime(isRecent ? recent : old, timeMs, this.#zone);
    }
    if (style === "full-iso") return formatTime("%Y-%m-%d %H:%M:%S.%N %z", timeMs, this.#zone);
    if (style === "long-iso") return formatTime("%Y-%m-%d %H:%M", timeMs, this.#zone);
    if (style === "iso")
      return formatTime(isRecent ? "%m-%d %H:%M" : "%Y-%m-%d ", timeMs, this.#zone);
    return formatTime(isRecent ? "%b %e %H:%M" : "%b %e  %Y", timeMs, this.#zone);
  }

  async #longName(entry: Listed): Promise<string> {
    const name = `${this.#paint(entry)}${this.#mark(entry.stat)}`;
    if (entry.stat?.kind !== "symlink") return name;
    try {
      const target = await this.#run.sys.readlink(entry.path);
      const shown = this.quote(target);
      const painted = this.#colours?.paint(shown, target, entry.target, undefined) ?? shown;
      return `${name} -> ${painted}${this.#mark(entry.target)}`;
    } catch (error) {
      if (isKernelError(error)) return name;
      throw error;
    }
  }
}

function shownWidth(cell: string): number {
  return textWidth(cell.replace(colourCode, ""));
}
