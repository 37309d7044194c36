// Whether this process was started by an MCP client of the server: then a model may have typed the command. Runs on Node 20.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface HostProcess {
  readonly name: string;
  readonly parent: number;
  /** Whether it began a session, as the shell of a terminal does. */
  readonly isLeader: boolean;
}

/** What stands between a client and the server that it starts. */
const wrapper = /^(a|ba|da|z|k|fi)?sh$|^(busybox|env|nice|timeout|npx|bunx?)$|^(npm|pnpm|yarn)\b/;
/** Deeper trees are not looked at. */
const LEVELS_LIMIT = 100;

/**
 * The client that this process descends from, of those whose shims are given; undefined where there is none. A process that
 * has cut itself loose from its parents is not found (docs/threat-model.md).
 */
export function findClientAbove(
  shims: readonly number[],
): { readonly pid: number; readonly name: string } | undefined {
  const clients = new Set(shims.map(clientOf).filter((pid) => pid !== undefined));
  for (const pid of ancestorsOf(process.pid)) {
    if (clients.has(pid)) return { pid, name: readProcess(pid)?.name ?? "?" };
  }
  return undefined;
}

/** Who started a shim, behind shells and package managers; undefined where that is a terminal, or cannot be told. */
function clientOf(shim: number): number | undefined {
  for (const pid of ancestorsOf(shim)) {
    const found = readProcess(pid);
    if (found === undefined) return undefined;
    if (!wrapper.test(found.name)) return pid;
    if (found.isLeader) return undefined;
  }
  return undefined;
}

/** The nearest first, without the first process of the machine. */
function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let next = readProcess(pid)?.parent ?? 0; next > 1 && found.length < LEVELS_LIMIT; ) {
    found.push(next);
    next = readProcess(next)?.parent ?? 0;
  }
  return found;
}

function readProcess(pid: number): HostProcess | undefined {
  try {
    if (process.platform === "linux")
      return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"), pid);
    if (process.platform === "win32") return undefined;
    const fields = ["-o", "ppid=,pgid=,comm=", "-p", String(pid)];
    return parsePs(execFileSync("ps", fields, { encoding: "utf8" }), pid);
  } catch {
    // It is gone.
    return undefined;
  }
}

/** `pid (name) state ppid pgrp session …`: the name may hold anything, brackets included. */
function parseStat(text: string, pid: number): HostProcess {
  const end = text.lastIndexOf(")");
  const [, parent, , session] = text.slice(end + 2).split(" ");
  const name = text.slice(text.indexOf("(") + 1, end);
  return { name, parent: Number(parent), isLeader: Number(session) === pid };
}

/** Without sessions: who leads its group may be the shell of a terminal. */
function parsePs(text: string, pid: number): HostProcess {
  const [parent, group, ...words] = text.trim().split(/\s+/);
  const name = words.join(" ").replace(/^.*\//, "").replace(/^-/, "");
  return { name, parent: Number(parent), isLeader: Number(group) === pid };
}
