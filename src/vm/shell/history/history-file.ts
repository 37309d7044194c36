/** The file that a shell's history comes from and goes to. */
import {
  encodeText,
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { readWhole } from "../builtins/eval.ts";
import type { Shell } from "../state/shell.ts";
import type { HistoryEntry } from "./history.ts";
import { historyFileSize, historySize } from "./history-settings.ts";

const MODE = 0o600;

/** Gives HISTFILE its default, as interactive shells have it. */
export function nameHistoryFile(shell: Shell): void {
  const { variables } = shell;
  if (variables.get("HISTFILE") !== undefined) return;
  const name = shell.options.has("posix") ? ".sh_history" : ".bash_history";
  variables.set("HISTFILE", `${variables.get("HOME") ?? ""}/${name}`);
}

/** Fills the list at a shell's start, and gives the sizes their defaults. */
export async function loadHistory(shell: Shell): Promise<void> {
  const { variables, history } = shell;
  if (variables.get("HISTSIZE") === undefined) variables.set("HISTSIZE", "500");
  if (variables.get("HISTFILESIZE") === undefined)
    variables.set("HISTFILESIZE", variables.get("HISTSIZE") ?? "500");
  if (history.isLoaded) return;
  history.isLoaded = true;
  const path = variables.get("HISTFILE") ?? "";
  if (path === "") return;
  try {
    await readHistoryFile(shell, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Adds a file's entries to the list, from line `skip` on. Fails with the kernel's errno. */
export async function readHistoryFile(shell: Shell, path: string, skip = 0): Promise<void> {
  const text = await readWhole(shell, path);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { nowMs } = await shell.sys.clock();
  const hasTimes = shell.variables.get("HISTTIMEFORMAT") !== undefined && isTime(lines[skip] ?? "");
  const now = Math.floor(nowMs / 1000);
  for (const { text: entry, time } of parseEntries(lines.slice(skip), { hasTimes, now }))
    shell.history.add(entry, time, historySize(shell));
  shell.history.fileLines = lines.length;
}

/** In a file with times, where times are used, an entry has all lines up to the next time. */
function parseEntries(
  lines: readonly string[],
  { hasTimes, now }: { readonly hasTimes: boolean; readonly now: number },
): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let time: number | undefined;
  let isContinued = false;
  for (const line of lines) {
    if (isTime(line)) {
      time = Number(line.slice(1));
      isContinued = false;
      continue;
    }
    const last = entries.at(-1);
    if (isContinued && last !== undefined)
      entries[entries.length - 1] = { text: `${last.text}\n${line}`, time: last.time };
    else entries.push({ text: line, time: time ?? now });
    time = undefined;
    isContinued = hasTimes;
  }
  return entries;
}

function isTime(line: string): boolean {
  return /^#\d+/.test(line);
}

/** Makes the list the file's content. */
export async function writeHistoryFile(shell: Shell, path: string): Promise<void> {
  await put(shell, path, serialize(shell, shell.history.entries), O_TRUNC);
}

/** Adds the entries made since the last time. */
export async function appendHistoryFile(shell: Shell, path: string): Promise<void> {
  const { history } = shell;
  const count = Math.min(history.newCount, history.length);
  if (count === 0) return;
  const added = history.entries.slice(-count);
  await put(shell, path, serialize(shell, added), O_APPEND);
  history.fileLines += count;
  history.newCount = 0;
}

/** Leaves the last lines of the file only, as HISTFILESIZE says. */
export async function truncateHistoryFile(shell: Shell): Promise<void> {
  const path = shell.variables.get("HISTFILE") ?? "";
  const limit = historyFileSize(shell);
  if (path === "" || limit === Number.POSITIVE_INFINITY) return;
  try {
    if ((await shell.sys.stat(path)).kind !== "file") return;
    const lines = (await readWhole(shell, path)).split(/(?<=\n)/);
    const commands = lines.filter((line) => !isTime(line)).length;
    let drop = Math.max(0, commands - limit);
    let at = 0;
    for (; at < lines.length && drop > 0; at++) if (!isTime(lines[at] ?? "")) drop -= 1;
    if (at > 0) await put(shell, path, lines.slice(at).join(""), O_TRUNC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Saves an ending shell's history: appended where that loses nothing. */
export async function saveHistory(shell: Shell): Promise<void> {
  const { history, variables } = shell;
  const path = variables.get("HISTFILE") ?? "";
  if (path === "" || history.newCount === 0) return;
  try {
    if (history.newCount <= history.length || shell.options.has("histappend"))
      await appendHistoryFile(shell, path);
    else await writeHistoryFile(shell, path);
    await truncateHistoryFile(shell);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

function serialize(shell: Shell, entries: readonly HistoryEntry[]): string {
  const hasTimes = shell.variables.get("HISTTIMEFORMAT") !== undefined;
  return entries.map(({ text, time }) => `${hasTimes ? `#${time ?? 0}\n` : ""}${text}\n`).join("");
}

async function put(shell: Shell, path: string, text: string, flag: number): Promise<void> {
  const { sys } = shell;
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, MODE);
  try {
    const bytes = encodeText(text);
    for (let done = 0; done < bytes.length; ) {
      const rest = bytes.subarray(done, done + 65_536);
      done += await shell.retry(() => sys.write(fd, rest));
    }
  } finally {
    await sys.close(fd);
  }
}
