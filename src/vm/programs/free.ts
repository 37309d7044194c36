import { readSmallFile } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "free",
    usage: ["[options]"],
    summary: "Display the amount of free and used memory in the system.",
    options: [
      { short: "b", long: "bytes", help: "show output in bytes" },
      { short: "k", long: "kibi", help: "show output in kibibytes" },
      { short: "m", long: "mebi", help: "show output in mebibytes" },
      { short: "g", long: "gibi", help: "show output in gibibytes" },
      { short: "h", long: "human", help: "show human-readable output" },
      { long: "si", help: "use powers of 1000 not 1024" },
      { short: "t", long: "total", help: "show total for RAM + swap" },
      { short: "w", long: "wide", help: "wide output" },
    ],
  },
  async (run) => {
    if (run.operands.length > 0) throw new UsageError(`extra operand '${run.operands[0]}'`);
    const text = (await readSmallFile(run.sys, "/proc/meminfo")) ?? "";
    const bytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) * 1024;
    const [total, free, available] = [bytes("MemTotal"), bytes("MemFree"), bytes("MemAvailable")];
    const shared = bytes("Shmem");
    const wide = run.has("wide");
    const names = wide
      ? ["total", "used", "free", "shared", "buffers", "cache", "available"]
      : ["total", "used", "free", "shared", "buff/cache", "available"];
    const memory = [total, total - free, free, shared, ...(wide ? [0, 0] : [0]), available];
    run.out.addText(`${" ".repeat(8)}${names.map((name) => name.padStart(12)).join("")}\n`);
    line(run, "Mem:", memory);
    line(run, "Swap:", [0, 0, 0]);
    if (run.has("total")) line(run, "Total:", [total, total - free, free]);
  },
);

function line(run: Run, name: string, amounts: readonly number[]): void {
  run.out.addText(
    `${name.padEnd(8)}${amounts.map((amount) => show(run, amount).padStart(12)).join("")}\n`,
  );
}

function show(run: Run, bytes: number): string {
  const base = run.has("si") ? 1000 : 1024;
  if (run.has("human")) return showHuman(bytes, base);
  const power = run.has("bytes") ? 0 : run.has("mebi") ? 2 : run.has("gibi") ? 3 : 1;
  return String(Math.floor(bytes / base ** power));
}

function showHuman(bytes: number, base: number): string {
  const suffixes = ["B", "Ki", "Mi", "Gi", "Ti"];
  let value = bytes;
  let at = 0;
  for (; value >= base && at < suffixes.length - 1; at++) value /= base;
  const digits = at > 0 && value < 10 ? value.toFixed(1) : String(Math.floor(value));
  return `${digits}${base === 1000 ? (suffixes[at] ?? "").replace("i", "") : suffixes[at]}`;
}
