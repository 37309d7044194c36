// What Node's library says of a child to be, as the kernel's calls take it.
import type { Packed } from "../wire/pack.ts";

interface Stdio {
  readonly type: string;
  readonly fd?: number;
  readonly handle?: { readonly fd: number };
}

export interface ChildOptions {
  readonly file: unknown;
  readonly args: unknown;
  readonly cwd: unknown;
  readonly envPairs: unknown;
  readonly stdio: readonly Stdio[];
  readonly isDetached: boolean;
  readonly uid: unknown;
  readonly gid: unknown;
}

export function childWish(options: ChildOptions): { [name: string]: Packed } {
  const { file, args, cwd, envPairs, stdio, isDetached, uid, gid } = options;
  return {
    file: String(file),
    argv: Array.isArray(args) ? args.map(String) : [String(file)],
    cwd: typeof cwd === "string" && cwd !== "" ? cwd : undefined,
    env: Array.isArray(envPairs) ? envPairs.map(String) : [],
    stdio: stdio.map(fdOf),
    isDetached,
    uid: typeof uid === "number" ? uid : undefined,
    gid: typeof gid === "number" ? gid : undefined,
  };
}

function fdOf({ type, fd, handle }: Stdio): Packed {
  if (type === "ignore") return "ignore";
  if (type === "pipe" || type === "overlapped") return "pipe";
  return type === "wrap" ? (handle?.fd ?? -1) : (fd ?? -1);
}
