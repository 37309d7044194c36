/** What an interactive shell adds when a command is not there: a name close to it, or why it is not. */
import { isKernelError, O_CLOEXEC, O_DIRECTORY, O_RDONLY } from "../../../kernel/index.ts";
import { builtinNames } from "../builtins/builtin-names.ts";
import type { Shell } from "../state/shell.ts";

/** Names looked at in one directory. */
const ENTRY_LIMIT = 4096;

/** What people look for here in vain, and why it is not there. */
const reasons: readonly (readonly [names: readonly string[], why: string])[] = [
  [
    ["apt", "apt-get", "dpkg", "yum", "dnf", "apk", "pacman", "brew"],
    "a VM has no package manager",
  ],
  [["sudo", "su", "doas"], "a VM has no other user to become"],
  [["docker", "podman", "systemctl", "service"], "a VM runs no services and no other machines"],
  [["ssh", "scp", "ping", "nc", "telnet"], "a VM has no such way to the network"],
  [["gcc", "cc", "clang", "make", "go", "cargo", "rustc", "java"], "a VM has no compilers"],
  [
    ["vim", "nano", "emacs", "vi"],
    "a VM has no screen editor: sed, patch or a here-document change files",
  ],
];

/** One line, or nothing where there is nothing to say. */
export async function commandHint(shell: Shell, name: string): Promise<string> {
  if (name.includes("/") || name.length > 64) return "";
  const why = reasons.find(([names]) => names.includes(name))?.[1];
  if (why !== undefined) return `${name}: ${why}\n`;
  const names = new Set([...builtinNames(), ...shell.functions.keys(), ...shell.aliases.keys()]);
  for (const directory of (shell.variables.get("PATH") ?? "").split(":"))
    for (const entry of await listNames(shell, directory)) names.add(entry);
  const most = name.length < 3 ? 0 : name.length < 6 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = measure(name, candidate);
    if (distance <= most && distance < (best?.distance ?? Infinity))
      best = { name: candidate, distance };
  }
  return best === undefined ? "" : `Did you mean \`${best.name}'?\n`;
}

async function listNames(shell: Shell, directory: string): Promise<readonly string[]> {
  const { sys } = shell;
  try {
    const fd = await sys.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    try {
      return (await sys.readdir(fd, ENTRY_LIMIT)).map((entry) => entry.name);
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}

/** Letters to insert, drop, replace or swap to get from one name to the other. */
function measure(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let one = 1; one <= from.length; one++) {
    const next = [one];
    for (let other = 1; other <= to.length; other++) {
      const isSame = from.charAt(one - 1) === to.charAt(other - 1);
      let least = Math.min(
        (row[other] ?? 0) + 1,
        (next[other - 1] ?? 0) + 1,
        (row[other - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        from.charAt(one - 1) === to.charAt(other - 2) &&
        from.charAt(one - 2) === to.charAt(other - 1);
      if (one > 1 && other > 1 && isSwapped) least = Math.min(least, (before[other - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
