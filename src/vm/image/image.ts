/**
 * The root a VM boots with: a merged-/usr tree as Debian has it, a user with uid 1000, and a file
 * in /usr/bin for each program.
 */
import { encodeText, type SeedEntry } from "../../kernel/index.ts";
import { NODE_MAGIC } from "../executors/isolate/node-magic.ts";
import { PROGRAM_MAGIC } from "../executors/program/program-executor.ts";
import { programNames } from "../programs/registry.ts";
import { agentosTypes } from "./agentos-types.ts";
import { etcFiles } from "./etc-files.ts";

const USER = { uid: 1000, gid: 1000 };
/** Programs that run as their owner, root, whoever calls them. */
const SETUID = new Set(["sudo"]);

/** What every command finds in its environment. */
export const defaultEnvironment: ReadonlyMap<string, string> = new Map([
  ["PATH", "/usr/local/bin:/usr/bin:/bin"],
  ["HOME", "/home/user"],
  ["USER", "user"],
  ["LOGNAME", "user"],
  ["SHELL", "/bin/bash"],
  ["LANG", "C.UTF-8"],
]);

export function imageEntries(): SeedEntry[] {
  return [
    ...["/etc", "/home", "/mnt", "/opt", "/proc", "/dev", "/run", "/srv", "/usr", "/var"].map(
      directory,
    ),
    ...["/usr/bin", "/usr/lib", "/usr/sbin", "/usr/share", "/usr/include"].map(directory),
    ...["/var/cache", "/var/lib", "/var/log", "/var/spool"].map(directory),
    ...["/dev/pts", "/dev/shm"].map(directory),
    ...["bin", "sbin", "lib"].map((name) => link(`/${name}`, `usr/${name}`)),
    { ...directory("/root"), mode: 0o700 },
    { ...directory("/tmp"), mode: 0o1777 },
    { ...directory("/var/tmp"), mode: 0o1777 },
    ...["/home/user", "/workspace"].map((path) => ({ ...directory(path), ...USER })),
    ...["", "/bin", "/etc", "/include", "/lib", "/sbin", "/share", "/src"].map((below) => ({
      ...directory(`/usr/local${below}`),
      ...USER,
    })),
    ...[...etcFiles].map(([name, text]) => file(`/etc/${name}`, text)),
    file("/home/user/.profile", "# Read by login shells.\n", USER),
    link("/var/run", "/run"),
    ...programNames().map(program),
    { ...file("/usr/bin/node", NODE_MAGIC), mode: 0o755 },
    file("/usr/share/agentos/agentos.d.ts", agentosTypes),
    { ...file("/usr/local/bin/agentos", `${PROGRAM_MAGIC}agentos\n`), mode: 0o755 },
  ];
}

function program(name: string): SeedEntry {
  const mode = SETUID.has(name) ? 0o4755 : 0o755;
  return { ...file(`/usr/bin/${name}`, `${PROGRAM_MAGIC}${name}\n`), mode };
}

function directory(path: string) {
  return { path, kind: "directory" as const, mode: 0o755, uid: 0, gid: 0 };
}

function file(path: string, text: string, owner = { uid: 0, gid: 0 }) {
  return { path, kind: "file" as const, mode: 0o644, ...owner, content: encodeText(text) };
}

function link(path: string, target: string): SeedEntry {
  return { path, kind: "symlink", mode: 0o777, uid: 0, gid: 0, target };
}
