import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";

/** The VM's limits that ulimit's letters name; the rest are not limited one by one. */
const rows = [
  ["c", "core file size", "(blocks, -c)", undefined],
  ["f", "file size", "(blocks, -f)", undefined],
  ["n", "open files", "(-n)", "maxOpenFds"],
  ["s", "stack size", "(kbytes, -s)", undefined],
  ["t", "cpu time", "(seconds, -t)", undefined],
  ["u", "max user processes", "(-u)", "maxProcesses"],
  ["v", "virtual memory", "(kbytes, -v)", undefined],
] as const;

// Deviation: ulimit shows the VM's limits and sets none; they are the VM's, not a process's.
/** Shows limits. They are the VM's and are set from outside: here they can only be set to what they are. */
export async function ulimit(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(
    shell,
    words,
    "HSacdefilmnpqrstuvx",
    "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]",
  );
  if (flags === undefined) return 2;
  const limits = await shell.sys.getrlimits();
  const show = (name: (typeof rows)[number][3]): string =>
    name === undefined ? "unlimited" : String(limits[name]);
  if (flags.on.has("a")) {
    const lines = rows.map(
      ([, label, unit, name]) => `${label.padEnd(20)} ${unit.padStart(20)} ${show(name)}\n`,
    );
    await shell.write(1, lines.join(""));
    return 0;
  }
  const letter = [...flags.on].find((flag) => flag !== "H" && flag !== "S") ?? "f";
  const row = rows.find((one) => one[0] === letter);
  const [wanted] = flags.operands;
  if (wanted === undefined) {
    await shell.write(1, `${show(row?.[3])}\n`);
    return 0;
  }
  if (wanted === show(row?.[3]) || row?.[3] === undefined) return 0;
  await shell.complain(`ulimit: ${row[1]}: cannot modify limit: Operation not permitted`);
  return 1;
}
