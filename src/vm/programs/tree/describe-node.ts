import type { Stat } from "../../../kernel/index.ts";
import { showMode } from "../file-mode.ts";
import { formatTime } from "../format-time.ts";
import { NameDatabase } from "../name-database.ts";
import type { Run } from "../program.ts";
import { showSize } from "../show-size.ts";
import type { TreeNode } from "./walk.ts";

/** What stands for a file: its facts in brackets, its name, where it leads. */
export async function describeNode(run: Run, node: TreeNode): Promise<string> {
  const environment = await run.sys.environ();
  const hasColors = environment.has("TERM") || environment.has("LS_COLORS");
  const paint = run.has("C") && !run.has("n") && hasColors ? paintName : plainName;
  const facts = await factsOf(run, node);
  const shown = facts.length === 0 ? "" : `[${facts.join(" ")}]  `;
  const sign = run.has("F") ? signOf(node.stat) : "";
  const name = paint(quote(run, run.has("f") ? node.path : node.name), node.stat);
  if (node.target === undefined) return `${shown}${name}${sign}`;
  const target = quote(run, node.target);
  const painted = node.targetStat === undefined ? target : paint(target, node.targetStat);
  const targetSign = run.has("F") && node.targetStat !== undefined ? signOf(node.targetStat) : "";
  return `${shown}${name} -> ${painted}${targetSign}`;
}

async function factsOf(run: Run, { stat, size }: TreeNode): Promise<string[]> {
  const names = new NameDatabase(run.sys);
  const facts: string[] = [];
  if (run.has("inodes")) facts.push(String(stat.ino).padStart(7));
  if (run.has("device")) facts.push(String(stat.dev).padStart(3));
  if (run.has("p")) facts.push(showMode(stat.kind, stat.mode).slice(0, 10));
  if (run.has("u")) facts.push((await names.userName(stat.uid)).padEnd(8));
  if (run.has("g")) facts.push((await names.groupName(stat.gid)).padEnd(8));
  if (run.has("h") || run.has("si")) facts.push(humanSize(size, run.has("si")).padStart(4));
  else if (run.has("s") || run.has("du")) facts.push(String(size).padStart(11));
  if (run.has("D")) facts.push(await showTime(run, stat.mtimeMs));
  return facts;
}

async function showTime(run: Run, timeMs: number): Promise<string> {
  const { nowMs } = await run.sys.clock();
  const isOld = Math.abs(nowMs - timeMs) > 183 * 86_400_000;
  return formatTime(isOld ? "%b %e  %Y" : "%b %e %H:%M", timeMs);
}

function humanSize(size: number, isSi: boolean): string {
  return showSize(size, isSi ? 1000 : 1024).replace("k", "K");
}

// oxlint-disable-next-line no-control-regex -- these cannot be shown
const control = /[\x00-\x1f\x7f]/g;

function quote(run: Run, name: string): string {
  if (run.has("N")) return name;
  if (run.has("Q")) return `"${name.replaceAll('"', '\\"')}"`;
  if (run.has("q")) return name.replaceAll(control, "?");
  return name
    .replaceAll(/[\\ ]/g, "\\$&")
    .replaceAll(control, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function signOf({ kind, mode }: Stat): string {
  if (kind === "directory") return "/";
  if (kind === "fifo") return "|";
  if (kind === "socket") return "=";
  return kind === "file" && (mode & 0o111) !== 0 ? "*" : "";
}

const colors = new Map(
  Object.entries({
    directory: "01;34",
    symlink: "01;36",
    fifo: "40;33",
    socket: "01;35",
    device: "40;33;01",
  }),
);

function plainName(name: string): string {
  return name;
}

function paintName(name: string, { kind, mode }: Stat): string {
  const isProgram = kind === "file" && (mode & 0o111) !== 0;
  const color = isProgram ? "01;32" : (colors.get(kind) ?? "00");
  return `\u001b[${color}m${name}\u001b[0m`;
}
