// The thread cells are started from. It first takes away from itself what no cell may have; a process
// inherits that from the thread that starts it, on all its threads, before its first instruction.
// The server's other threads, and what they start, keep their rights. When this thread ends, the
// kernel kills the cells (see parent-death in the jail).
import { type ChildProcess, spawn } from "node:child_process";
import { parentPort, workerData } from "node:worker_threads";
import type { Filter } from "../../../linux/index.ts";
import { type LandlockAccess, restrictThread } from "../../confinement/landlock.ts";
import { held, type Layer, type LayerName, notHeld } from "../../confinement/layer.ts";
import { type Libc, openLibc } from "../../confinement/libc.ts";
import { setNoNewPrivileges } from "../../confinement/process-rights.ts";
import { filterArchitecture, installFilter } from "../../confinement/seccomp.ts";
import type { ProcessCommand } from "./process-starter.ts";

export interface StarterThreadData {
  readonly access: LandlockAccess;
  readonly without: readonly LayerName[];
}

export type StarterRequest =
  | {
      readonly kind: "start";
      readonly id: number;
      readonly command: ProcessCommand;
      readonly fds: StarterFds;
    }
  | { readonly kind: "kill"; readonly id: number };

/** The far ends of the process's streams; the sender closes them once it has the answer. */
export interface StarterFds {
  readonly input: number;
  readonly log: number;
  readonly wire: number;
}

export type StarterAnswer =
  | { readonly kind: "ready"; readonly layers: readonly Layer[] }
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  | {
      readonly kind: "ended";
      readonly id: number;
      readonly code: number | null;
      readonly signal: string | null;
    };

/** An io_uring makes system calls that seccomp never sees, and libuv makes one at start. */
const noIoUring: Filter = {
  rules: [{ call: "io_uring_setup", verdict: { errno: 38 } }],
  otherwise: "allow",
  foreign: { errno: 38 },
};

const children = new Map<number, ChildProcess>();

if (parentPort !== null) serve(parentPort, workerData);

function serve(port: NonNullable<typeof parentPort>, data: StarterThreadData): void {
  const answer = (message: StarterAnswer): void => port.postMessage(message);
  port.on("message", (request: StarterRequest) => {
    if (request.kind === "kill") children.get(request.id)?.kill("SIGKILL");
    else start(request.id, request.command, request.fds, answer);
  });
  answer({ kind: "ready", layers: restrict(data) });
}

function start(
  id: number,
  command: ProcessCommand,
  fds: StarterFds,
  answer: (message: StarterAnswer) => void,
): void {
  const child = spawn(command.file, command.args, {
    cwd: command.workingDirectory,
    env: command.environment,
    stdio: [fds.input, fds.log, fds.log, fds.wire],
  });
  if (child.pid === undefined) {
    child.on("error", (error) => answer({ kind: "failed", id, message: error.message }));
    return;
  }
  children.set(id, child);
  child.on("exit", (code, signal) => {
    children.delete(id);
    answer({ kind: "ended", id, code, signal });
  });
  answer({ kind: "started", id, pid: child.pid });
}

/** no_new_privs first: the kernel asks for it before the other two. */
function restrict({ access, without }: StarterThreadData): Layer[] {
  const libc = openLibc();
  const attempt = (name: LayerName, enter: (libc: Libc) => string): Layer => {
    if (without.includes(name)) return notHeld(name, "switched off by an option");
    if (typeof libc === "string") return notHeld(name, libc);
    try {
      return held(name, enter(libc));
    } catch (error) {
      return notHeld(name, error instanceof Error ? error.message : String(error));
    }
  };
  return [
    attempt("no-new-privileges", (calls) => {
      setNoNewPrivileges(calls);
      return "setuid and file capabilities have no effect";
    }),
    attempt("landlock", (calls) => restrictThread(calls, access)),
    attempt("io-uring-off", (calls) => {
      const architecture = filterArchitecture() ?? "x64";
      installFilter(calls, noIoUring, { architecture, allThreads: false });
      return "io_uring_setup fails; libuv does without";
    }),
  ];
}
