import { formatTime } from "./format-time.ts";
import { readSmallFile } from "./name-database.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "uptime",
    usage: ["[options]"],
    summary: "Tell how long the system has been running.",
    options: [
      { short: "p", long: "pretty", help: "show uptime in pretty format" },
      { short: "s", long: "since", help: "system up since" },
    ],
  },
  async (run) => {
    const { nowMs } = await run.sys.clock();
    const { uptimeMs } = await run.sys.sysinfo();
    if (run.has("since")) run.out.addText(`${formatTime("%Y-%m-%d %H:%M:%S", nowMs - uptimeMs)}\n`);
    else if (run.has("pretty")) run.out.addText(`${describeUptime(uptimeMs)}\n`);
    else
      run.out.addText(
        `${await uptimeLine(nowMs, uptimeMs, () => readSmallFile(run.sys, "/proc/loadavg"))}\n`,
      );
  },
);

/** ` 10:00:00 up 1 day,  2:03,  0 user,  load average: 0.00, 0.00, 0.00`. */
export async function uptimeLine(
  nowMs: number,
  uptimeMs: number,
  readLoad: () => Promise<string | undefined>,
): Promise<string> {
  const minutes = Math.floor(uptimeMs / 60_000);
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor(minutes / 60) % 24;
  const dayText = days === 0 ? "" : `${days} day${days === 1 ? "" : "s"}, `;
  const clock =
    hours === 0
      ? `${minutes % 60} min`
      : `${String(hours).padStart(2)}:${String(minutes % 60).padStart(2, "0")}`;
  const load = ((await readLoad()) ?? "0.00 0.00 0.00").split(" ").slice(0, 3).join(", ");
  return ` ${formatTime("%H:%M:%S", nowMs)} up ${dayText}${clock},  0 user,  load average: ${load}`;
}

function describeUptime(uptimeMs: number): string {
  const minutes = Math.floor(uptimeMs / 60_000);
  const parts = [
    [Math.floor(minutes / 10_080), "week"],
    [Math.floor(minutes / 1440) % 7, "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ] as const;
  const shown = parts
    .filter(([count, unit], at) => count > 0 || (at === 3 && minutes === 0 && unit === "minute"))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return `up ${shown.join(", ")}`;
}
