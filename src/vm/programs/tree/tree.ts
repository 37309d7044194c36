/** `tree`: lists a directory and all below it. */
import { encodeText } from "../../../kernel/index.ts";
import { openOutput } from "../open-output.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { defineProgram, type Run } from "../program.ts";
import { renderJson, renderXml } from "./data-formats.ts";
import { describeNode } from "./describe-node.ts";
import { type TreeNode, TreeReader } from "./walk.ts";

export const main = defineProgram(
  {
    name: "tree",
    usage: ["[OPTION]... [DIRECTORY]..."],
    summary: "List each DIRECTORY (the current one by default) and all below it.",
    options: [
      { short: "a", help: "all files, hidden ones, too" },
      { short: "d", help: "directories only" },
      { short: "l", help: "follow links to directories" },
      { short: "f", help: "show whole paths" },
      { short: "x", help: "(ignored)" },
      { short: "L", value: "LEVEL", help: "at most LEVEL levels deep" },
      { short: "P", value: "PATTERN", help: "only files that match" },
      { short: "I", value: "PATTERN", help: "no files that match" },
      { long: "ignore-case", help: "patterns match letters of any case" },
      { long: "matchdirs", help: "(ignored)" },
      { long: "prune", help: "no empty directories" },
      { long: "filelimit", value: "N", help: "do not open directories with more entries" },
      { long: "noreport", help: "no count at the end" },
      { long: "charset", value: "X", help: "characters to draw lines with" },
      { short: "o", value: "FILE", help: "write to FILE" },
      { short: "q", help: "? for characters that cannot be shown" },
      { short: "N", help: "names as they are" },
      { short: "Q", help: "quote names" },
      { short: "p", help: "show kind and permissions" },
      { short: "u", help: "show owners" },
      { short: "g", help: "show groups" },
      { short: "s", help: "show sizes in bytes" },
      { short: "h", help: "show sizes in a readable way" },
      { long: "si", help: "the same, in powers of 1000" },
      { long: "du", help: "sizes of directories with all below them" },
      { short: "D", help: "show times of last change" },
      { short: "F", help: "append a sign for the kind" },
      { long: "inodes", help: "show inode numbers" },
      { long: "device", help: "show device numbers" },
      { short: "v", help: "sort by version" },
      { short: "t", help: "sort by time of last change" },
      { short: "c", help: "sort by time of last status change" },
      { short: "U", help: "do not sort" },
      { short: "r", help: "reverse the order" },
      { long: "sort", value: "NAME", help: "name, version, size, mtime or ctime" },
      { long: "dirsfirst", help: "directories before files" },
      { long: "filesfirst", help: "files before directories" },
      { short: "i", help: "no lines" },
      { short: "A", help: "(ignored)" },
      { short: "S", help: "(ignored)" },
      { short: "n", help: "no colors" },
      { short: "C", help: "with colors" },
      { short: "J", help: "as JSON" },
      { short: "X", help: "as XML" },
    ],
  },
  async (run) => {
    const reader = new TreeReader(run, levels(run));
    const fd = await openFile(run);
    const roots = run.operands.length === 0 ? ["."] : run.operands;
    const nodes: (TreeNode | string)[] = [];
    for (const root of roots) nodes.push((await reader.read(root)) ?? root);
    const text = await render(run, nodes);
    if (fd === undefined) await run.out.write(encodeText(text));
    else {
      await writeAll(run.sys, fd, encodeText(text));
      await run.sys.close(fd);
    }
    return reader.hasFailed || nodes.some((node) => typeof node === "string") ? 2 : 0;
  },
);

function levels(run: Run): number {
  const given = run.options.get("L");
  if (given === undefined) return Number.POSITIVE_INFINITY;
  const level = Number.parseInt(given, 10);
  if (!(level > 0))
    throw new UsageError("Invalid level, must be greater than 0.", { hasHint: false });
  return level;
}

async function openFile(run: Run): Promise<number | undefined> {
  const path = run.options.get("o");
  return path === undefined ? undefined : openOutput(run, path, `invalid filename '${path}'`);
}

interface Count {
  directories: number;
  files: number;
}

async function render(run: Run, nodes: readonly (TreeNode | string)[]): Promise<string> {
  const count = { directories: 0, files: 0 };
  for (const node of nodes) if (typeof node !== "string") addRoot(node, count);
  const isData = run.has("J") || run.has("X");
  const report = run.has("noreport") ? undefined : { ...count, hasFiles: !run.has("d") };
  if (isData) return (run.has("J") ? renderJson : renderXml)(run, nodes, report);
  const lines: string[] = [];
  const strokes = await strokesFor(run);
  for (const node of nodes) {
    if (typeof node === "string") lines.push(`${node}  [error opening dir]`);
    else await draw({ run, strokes, lines }, node, "", "");
  }
  if (report !== undefined) lines.push("", reportLine(run, count, nodes));
  return lines.map((line) => `${line}\n`).join("");
}

function reportLine(
  run: Run,
  { directories, files }: Count,
  nodes: readonly (TreeNode | string)[],
): string {
  const total = nodes.reduce((sum, node) => sum + (typeof node === "string" ? 0 : node.size), 0);
  const used = run.has("du") ? `${String(total).padStart(12)} bytes used in ` : "";
  const folders = `${directories} director${directories === 1 ? "y" : "ies"}`;
  return `${used}${folders}${run.has("d") ? "" : `, ${files} file${files === 1 ? "" : "s"}`}`;
}

/** An empty one counts for nothing. */
function addRoot(node: TreeNode, count: Count): void {
  if (
    node.stat.kind !== "directory" ||
    (node.children ?? []).length > 0 ||
    node.problem !== undefined
  )
    add(node, count);
}

function add({ stat, children, targetStat }: TreeNode, count: Count): void {
  const isDirectory = stat.kind === "directory" || targetStat?.kind === "directory";
  if (isDirectory) count.directories += 1;
  else count.files += 1;
  for (const child of children ?? []) add(child, count);
}

interface Strokes {
  readonly branch: string;
  readonly last: string;
  readonly through: string;
}

async function strokesFor(run: Run): Promise<Strokes> {
  const environment = await run.sys.environ();
  const locale =
    [environment.get("LC_ALL"), environment.get("LC_CTYPE"), environment.get("LANG")].find(
      (one) => one !== undefined && one !== "",
    ) ?? "";
  const charset = run.options.get("charset") ?? locale;
  if (run.has("i")) return { branch: "", last: "", through: "" };
  return /utf-?8/i.test(charset)
    ? { branch: "├── ", last: "└── ", through: "│\u00a0\u00a0 " }
    : { branch: "|-- ", last: "`-- ", through: "|   " };
}

interface Drawing {
  readonly run: Run;
  readonly strokes: Strokes;
  readonly lines: string[];
}

async function draw(
  drawing: Drawing,
  node: TreeNode,
  before: string,
  stroke: string,
): Promise<void> {
  const { run, strokes, lines } = drawing;
  const problem = node.problem === undefined ? "" : `  [${node.problem}]`;
  lines.push(`${before}${stroke}${await describeNode(run, node)}${problem}`);
  const children = node.children ?? [];
  const inside =
    stroke === ""
      ? before
      : before + (stroke === strokes.last ? (run.has("i") ? "" : "    ") : strokes.through);
  for (const [at, child] of children.entries())
    await draw(drawing, child, inside, at === children.length - 1 ? strokes.last : strokes.branch);
}
