// Turns results into the table of docs/benchmarks.md, and into what `--json` prints.
import { cpus, loadavg, release, totalmem } from "node:os";
import type { Figure, Result } from "./measure-rows.ts";
import { type PeerName, peerList } from "./peer-list.ts";
import type { Goal } from "./row.ts";

/** Less than this of a destroyed VM's memory may be left: what one reading differs from the next. */
const KEPT_LIMIT_MB = 1;

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  readonly loadBefore: readonly number[];
  readonly loadAfter: readonly number[];
}

export function describeMachine(loadBefore: readonly number[]): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${release()}`,
    node: process.version,
    loadBefore,
    loadAfter: loadavg(),
  };
}

/** How many times the peer's figure ours fits into; undefined where either has none. */
export function ratioTo(result: Result, peer: PeerName): number | undefined {
  const ours = medianOf(result.figures.ours);
  const theirs = medianOf(result.figures[peer]);
  return ours === undefined || theirs === undefined || ours <= 0 ? undefined : theirs / ours;
}

/** "met" or "missed", with the number; empty for a row that has no goal. */
export function judge(result: Result): string {
  if (result.key === "memory-kept") {
    const kept = medianOf(result.figures.ours);
    if (kept === undefined) return "all returned: not measured";
    return `all returned: ${kept < KEPT_LIMIT_MB ? "met" : "missed"}`;
  }
  return (result.goals ?? []).map((goal) => judgeGoal(result, goal)).join("; ");
}

function judgeGoal(result: Result, goal: Goal): string {
  if ("mostMs" in goal) {
    const ours = medianOf(result.figures.ours);
    return say(`≤ ${formatNumber(goal.mostMs)} ms`, ours && goal.mostMs / ours);
  }
  const ratio = ratioTo(result, goal.than);
  const peer = peerNames[goal.than];
  return "timesFaster" in goal
    ? say(`≥ ${goal.timesFaster}× ${peer}`, ratio && ratio / goal.timesFaster)
    : say(`≤ ${goal.timesSlower}× ${peer}`, ratio && ratio * goal.timesSlower);
}

const peerNames: Readonly<Record<PeerName, string>> = {
  ours: "ours",
  agentos: "agentOS",
  "just-bash": "just-bash",
  host: "host",
};

/** Met from 1 on. */
function say(goal: string, share: number | undefined): string {
  if (share === undefined) return `${goal}: not measured`;
  return `${goal}: ${share >= 1 ? "met" : "missed"}`;
}

/** A Markdown table: median (p95), and how many times ours each peer takes. */
export function formatTable(results: readonly Result[], peers: readonly PeerName[]): string {
  const shown = peerList.filter(({ name }) => peers.includes(name));
  const heads = shown.flatMap(({ name, title }) => (name === "ours" ? [title] : [title, "×"]));
  const lines = results.map((result) => {
    const cells = shown.flatMap(({ name }) => {
      const figure = formatFigure(result.figures[name], result.unit);
      return name === "ours" ? [figure] : [figure, formatRatio(result, name)];
    });
    return `| ${[result.title, ...cells, judge(result)].join(" | ")} |`;
  });
  const all = ["median (p95)", ...heads, "goal"];
  return [
    `| ${all.join(" | ")} |`,
    `|${all.map((_, column) => (column === 0 ? "---" : column === all.length - 1 ? "---" : "--:")).join("|")}|`,
    ...lines,
  ].join("\n");
}

export function formatMachine(machine: Machine): string {
  const load = (values: readonly number[]): string => values[0]?.toFixed(1) ?? "?";
  return (
    `${machine.date}, ${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}, ` +
    `Node ${machine.node}; load ${load(machine.loadBefore)} before, ${load(machine.loadAfter)} after`
  );
}

/** The reasons of missing figures, one line each. */
export function formatProblems(results: readonly Result[]): string {
  return results
    .flatMap(({ title, figures }) =>
      Object.entries(figures).flatMap(([name, figure]) =>
        "problem" in figure ? [`- ${title}, ${name}: ${figure.problem.trim()}`] : [],
      ),
    )
    .join("\n");
}

function formatFigure(figure: Figure | undefined, unit: Result["unit"]): string {
  if (figure === undefined) return "";
  if ("problem" in figure) return "failed";
  const median = `${formatNumber(figure.median)} ${unit}`;
  return figure.rounds > 1 ? `${median} (${formatNumber(figure.p95)})` : median;
}

function formatRatio(result: Result, peer: PeerName): string {
  const ratio = result.key === "memory-kept" ? undefined : ratioTo(result, peer);
  return ratio === undefined ? "" : formatNumber(ratio);
}

export function formatNumber(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 4;
  return value.toFixed(digits);
}

function medianOf(figure: Figure | undefined): number | undefined {
  return figure === undefined || "problem" in figure ? undefined : figure.median;
}
