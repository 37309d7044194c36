import type { StatFs } from "../../kernel/index.ts";
import { blockSizeProblem } from "./block-size.ts";
import { parseCount } from "./count-argument.ts";
import { readSmallFile } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { resolvePath } from "./resolve-path.ts";
import { showSize } from "./show-size.ts";

export const main = defineProgram(
  {
    name: "df",
    usage: ["[OPTION]... [FILE]..."],
    summary:
      "Show information about the file system on which each FILE resides,\nor all file systems by default.",
    options: [
      { short: "a", long: "all", help: "include pseudo, duplicate, inaccessible file systems" },
      {
        short: "B",
        long: "block-size",
        value: "SIZE",
        help: "scale sizes by SIZE before printing them",
      },
      { short: "h", long: "human-readable", help: "print sizes in powers of 1024 (e.g., 1023M)" },
      { short: "H", long: "si", help: "print sizes in powers of 1000 (e.g., 1.1G)" },
      { short: "i", long: "inodes", help: "list inode information instead of block usage" },
      { short: "k", help: "like --block-size=1K" },
      { short: "m", help: "like --block-size=1M" },
      { short: "l", long: "local", help: "limit listing to local file systems" },
      {
        long: "output",
        value: "FIELD_LIST",
        isOptional: true,
        help: "use the output format defined by FIELD_LIST",
      },
      { short: "P", long: "portability", help: "use the POSIX output format" },
      { long: "no-sync", help: "do not invoke sync (default)" },
      { long: "sync", help: "invoke sync before getting usage info" },
      { long: "total", help: "produce a grand total" },
      {
        short: "t",
        long: "type",
        value: "TYPE",
        help: "limit listing to file systems of type TYPE",
      },
      { short: "T", long: "print-type", help: "print file system type" },
      {
        short: "x",
        long: "exclude-type",
        value: "TYPE",
        help: "limit listing to file systems not of type TYPE",
      },
    ],
  },
  async (run) => {
    const columns = chooseColumns(run);
    const rows = await listMounts(run);
    if (rows.length === 0) {
      if (run.status === 0) await run.fail("no file systems processed");
      return;
    }
    if (run.has("total")) rows.push(totalOf(rows));
    const header = columns.map((name) => headers(run)[name] ?? name);
    const cells = rows.map((row) => columns.map((name) => showCell(run, row, name)));
    printTable(run, columns, [header, ...cells]);
  },
);

interface Row {
  readonly source: string;
  readonly target: string;
  readonly file: string;
  readonly use: StatFs;
}

const fieldNames = new Set([
  "source",
  "fstype",
  "itotal",
  "iused",
  "iavail",
  "ipcent",
  "size",
  "used",
  "avail",
  "pcent",
  "file",
  "target",
]);
/** Shown with -a only. */
const pseudo = new Set(["proc", "devpts", "devtmpfs", "sysfs"]);

const exclusive = Object.entries({ inodes: "-i", portability: "-P", "print-type": "-T" });

function chooseColumns(run: Run): string[] {
  if (run.has("output")) {
    for (const [name, letter] of exclusive)
      if (run.has(name))
        throw new UsageError(`options ${letter} and --output are mutually exclusive`);
    const lists = run.options.all("output").filter((list) => list !== "");
    if (lists.length === 0) return [...fieldNames];
    const names = lists.flatMap((list) => list.split(","));
    const bad = names.find((name) => !fieldNames.has(name));
    if (bad !== undefined) throw new UsageError(`option --output: field ${quoteName(bad)} unknown`);
    const again = names.find((name, at) => names.indexOf(name) !== at);
    if (again !== undefined)
      throw new UsageError(`option --output: field ${quoteName(again)} used more than once`);
    return names;
  }
  const type = run.has("print-type") ? ["fstype"] : [];
  return run.has("inodes")
    ? ["source", ...type, "itotal", "iused", "iavail", "ipcent", "target"]
    : ["source", ...type, "size", "used", "avail", "pcent", "target"];
}

function headers(run: Run): Readonly<Record<string, string>> {
  const isPosix = run.has("portability");
  const kind = run.options.last("human-readable", "si", "k", "m", "block-size");
  const isHuman = kind === "human-readable" || kind === "si";
  const unit =
    kind === "m" ? "1M" : kind === "block-size" ? (run.options.get("block-size") ?? "1K") : "1K";
  const size = isHuman
    ? "Size"
    : isPosix
      ? `${unit === "1K" ? "1024" : unit}-blocks`
      : `${unit.replace(/^(?=[A-Za-z])/, "1").replace(/^1$/, "1B")}-blocks`;
  return {
    source: "Filesystem",
    fstype: "Type",
    itotal: "Inodes",
    iused: "IUsed",
    iavail: "IFree",
    ipcent: "IUse%",
    size,
    used: "Used",
    avail: isHuman || run.has("output") ? "Avail" : "Available",
    pcent: isPosix ? "Capacity" : "Use%",
    file: "File",
    target: "Mounted on",
  };
}

async function listMounts(run: Run): Promise<Row[]> {
  const lines = ((await readSmallFile(run.sys, "/proc/mounts")) ?? "").split("\n");
  const mounts = lines
    .filter((line) => line !== "")
    .map((line) => {
      const [source = "", target = "", type = ""] = line.split(" ").map(unescapeBlanks);
      return { source, target, type };
    });
  const rows: Row[] = [];
  if (run.operands.length === 0) {
    for (const { source, target } of mounts) {
      const use = await run.sys.statfs(target);
      const isShown = run.has("all") || !pseudo.has(use.type);
      if (isShown && isWanted(run, use.type)) rows.push({ source, target, file: "-", use });
    }
    return rows;
  }
  for (const file of run.operands) {
    try {
      const path = await resolvePath(run.sys, file, "all");
      const found = mounts
        .filter(
          ({ target }) => path === target || path.startsWith(target === "/" ? "/" : `${target}/`),
        )
        .toSorted((a, b) => b.target.length - a.target.length)[0];
      const use = await run.sys.statfs(file);
      if (isWanted(run, use.type))
        rows.push({ source: found?.source ?? "-", target: found?.target ?? "/", file, use });
    } catch (error) {
      await run.failOn(error, file);
    }
  }
  return rows;
}

function isWanted(run: Run, type: string): boolean {
  const wanted = run.options.all("type");
  return (
    (wanted.length === 0 || wanted.includes(type)) &&
    !run.options.all("exclude-type").includes(type)
  );
}

function unescapeBlanks(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

function totalOf(rows: readonly Row[]): Row {
  const sum = (pick: (use: StatFs) => number): number =>
    rows.reduce((total, { use }) => total + pick(use), 0);
  return {
    source: "total",
    target: "-",
    file: "-",
    use: {
      type: "-",
      blockSize: 4096,
      totalBytes: sum((use) => use.totalBytes),
      freeBytes: sum((use) => use.freeBytes),
      totalInodes: sum((use) => use.totalInodes),
      freeInodes: sum((use) => use.freeInodes),
    },
  };
}

function showCell(run: Run, { source, target, file, use }: Row, name: string): string {
  const usedBytes = use.totalBytes - use.freeBytes;
  const usedInodes = use.totalInodes - use.freeInodes;
  switch (name) {
    case "source":
      return source;
    case "target":
      return target;
    case "file":
      return file;
    case "fstype":
      return use.type;
    case "size":
      return showBytes(run, use.totalBytes);
    case "used":
      return showBytes(run, usedBytes);
    case "avail":
      return showBytes(run, use.freeBytes);
    case "pcent":
      return showPercent(usedBytes, use.totalBytes);
    case "itotal":
      return showInodes(run, use.totalInodes);
    case "iused":
      return showInodes(run, usedInodes);
    case "iavail":
      return showInodes(run, use.freeInodes);
    default:
      return showPercent(usedInodes, use.totalInodes);
  }
}

function showBytes(run: Run, bytes: number): string {
  const kind = run.options.last("human-readable", "si", "k", "m", "block-size");
  if (kind === "human-readable") return showSize(bytes, 1024);
  if (kind === "si") return showSize(bytes, 1000);
  const text = run.options.get("block-size") ?? "";
  const unit =
    kind === "m"
      ? 1024 ** 2
      : kind === "block-size"
        ? parseCount(text.replace(/^(?=[A-Za-z])/, "1"))
        : 1024;
  if (unit === undefined || unit === 0)
    throw new UsageError(blockSizeProblem(text, run.options.spelling("block-size")), {
      hasHint: false,
    });
  return String(Math.ceil(bytes / unit));
}

function showInodes(run: Run, count: number): string {
  if (run.has("human-readable")) return showSize(count, 1024);
  return run.has("si") ? showSize(count, 1000) : String(count);
}

function showPercent(used: number, total: number): string {
  return total === 0 ? "-" : `${Math.ceil((used / total) * 100)}%`;
}

const leftAligned = new Set(["source", "fstype", "target", "file"]);
/** The width of the first column and of numbers is never less. */
const leastWidths: Readonly<Record<string, number>> = {
  source: 14,
  size: 5,
  used: 5,
  avail: 5,
  itotal: 5,
  iused: 5,
  iavail: 5,
  pcent: 4,
  ipcent: 4,
};

function printTable(
  run: Run,
  columns: readonly string[],
  lines: readonly (readonly string[])[],
): void {
  const widths = columns.map((name, at) =>
    Math.max(leastWidths[name] ?? 0, ...lines.map((cells) => (cells[at] ?? "").length)),
  );
  for (const cells of lines) {
    const shown = cells.map((cell, at) => {
      const isLeft = leftAligned.has(columns[at] ?? "");
      if (!isLeft) return cell.padStart(widths[at] ?? 0);
      return at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0);
    });
    run.out.addText(`${shown.join(" ")}\n`);
  }
}
