import { parseDuration } from "./duration.ts";
import { findWindowSize } from "./is-terminal.ts";
import { Keyboard } from "./keyboard.ts";
import { NameDatabase, readSmallFile } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { listProcesses, type ProcessRow } from "./process-list.ts";
import { defineProgram, type Run } from "./program.ts";
import { uptimeLine } from "./uptime.ts";

const CLEAR = "\u001B[H\u001B[2J";
const REVERSE = "\u001B[7m";
const PLAIN = "\u001B[m";

// Deviation: programs that are not JavaScript share the kernel's thread: they show no use of the processor.
export const main = defineProgram(
  {
    name: "top",
    usage: ["[options]"],
    summary: "Display processes. Press q to quit, k to be told how to kill one.",
    options: [
      { short: "b", help: "batch mode: no terminal is needed" },
      { short: "c", help: "show command lines instead of names" },
      { short: "d", value: "SECS", help: "delay between updates" },
      { short: "i", help: "(ignored)" },
      { short: "n", value: "NUMBER", help: "number of updates before it ends" },
      { short: "o", value: "FIELD", help: "(ignored)" },
      { short: "p", value: "PID,...", help: "only these processes" },
      { short: "u", value: "USER", help: "only this user's processes" },
      { short: "w", value: "COLUMNS", isOptional: true, help: "(ignored)" },
    ],
  },
  async (run) => {
    const delayMs = parseDuration(run.options.get("d") ?? "3");
    if (delayMs === undefined)
      throw new UsageError(`bad delay interval '${run.options.get("d")}'`, { hasHint: false });
    const count = run.options.get("n");
    if (count !== undefined && !/^\d+$/.test(count))
      throw new UsageError(`bad iterations argument '${count}'`, { hasHint: false });
    const keyboard = run.has("b") ? undefined : await Keyboard.open(run.sys);
    if (keyboard === undefined && !run.has("b"))
      throw new UsageError("failed tty get", { hasHint: false });
    try {
      await repeat(run, keyboard, delayMs, count === undefined ? undefined : Number(count));
    } finally {
      await keyboard?.close();
    }
  },
);

async function repeat(
  run: Run,
  keyboard: Keyboard | undefined,
  delayMs: number,
  count: number | undefined,
): Promise<void> {
  for (let done = 1; ; done++) {
    await draw(run, keyboard !== undefined);
    if (done === count) return;
    if (keyboard === undefined) {
      await run.sys.nanosleep(delayMs);
      run.out.addText("\n");
      continue;
    }
    const key = await keyboard.key(delayMs);
    if (key === undefined || key === "q" || key === "\u0003") {
      run.out.addText("\r\n");
      return;
    }
  }
}

async function draw(run: Run, isScreen: boolean): Promise<void> {
  const { sys, out } = run;
  const names = new NameDatabase(sys);
  const rows = await chooseRows(run, names);
  const { memory } = await sys.sysinfo();
  const { nowMs } = await sys.clock();
  const lines = [...(await summary(run, rows)), ""];
  const header = "    PID USER      PR  NI S  %CPU  %MEM     TIME+ COMMAND";
  lines.push(isScreen ? `${REVERSE}${header}${PLAIN}` : header);
  for (const row of rows) {
    const user = (await names.userName(row.euid)).padEnd(8).slice(0, 8);
    const command = run.has("c") ? row.args : row.comm;
    lines.push(
      `${String(row.pid).padStart(7)} ${user}  20   0 ${row.state} ${shares(row, memory.totalBytes, nowMs)} ${command}`,
    );
  }
  const window = isScreen ? await findWindowSize(sys, 1) : undefined;
  const shown = window === undefined ? lines : lines.slice(0, Math.max(1, window.rows - 1));
  out.addText(isScreen ? `${CLEAR}${shown.join("\r\n")}` : `${shown.join("\n")}\n`);
  await out.flush();
}

/** Parts of the processor since its start and of the VM's memory, and the time it has used. */
function shares({ cpuMs, memoryBytes, startMs }: ProcessRow, total: number, nowMs: number): string {
  const percent = (part: number): string =>
    Math.min(part * 100, 999.9)
      .toFixed(1)
      .padStart(5);
  const minutes = Math.floor(cpuMs / 60_000);
  const time = `${minutes}:${((cpuMs - minutes * 60_000) / 1000).toFixed(2).padStart(5, "0")}`;
  const busy = cpuMs / Math.max(1, nowMs - startMs);
  return `${percent(busy)} ${percent(memoryBytes / total)} ${time.padStart(9)}`;
}

async function chooseRows(run: Run, names: NameDatabase): Promise<ProcessRow[]> {
  const pids = run.options.get("p")?.split(",").map(Number);
  const user = run.options.get("u");
  const uid =
    user === undefined
      ? undefined
      : ((await names.findUser(user))?.uid ?? (/^\d+$/.test(user) ? Number(user) : undefined));
  if (user !== undefined && uid === undefined)
    throw new UsageError(`Invalid user`, { hasHint: false });
  return (await listProcesses(run.sys)).filter(
    (row) => (pids?.includes(row.pid) ?? true) && (uid === undefined || row.euid === uid),
  );
}

async function summary(run: Run, rows: readonly ProcessRow[]): Promise<string[]> {
  const { sys } = run;
  const { uptimeMs, memory } = await sys.sysinfo();
  const uptime = await uptimeLine((await sys.clock()).nowMs, uptimeMs, () =>
    readSmallFile(sys, "/proc/loadavg"),
  );
  const count = (states: string): string =>
    String(rows.filter(({ state }) => states.includes(state)).length).padStart(3);
  const mib = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1).padStart(8);
  const free = Math.max(0, memory.totalBytes - memory.usedBytes);
  return [
    `top -${uptime}`,
    `Tasks: ${count("RSTZDI")} total, ${count("R")} running, ${count("SDI")} sleeping, ${count("T")} stopped, ${count("Z")} zombie`,
    `MiB Mem : ${mib(memory.totalBytes)} total, ${mib(free)} free, ${mib(memory.usedBytes)} used`,
  ];
}
