// What a cell must not be able to do, as rows: the doctor tries every row in a real cell, and the
// security tests also try each with the layers that stop it switched off.
import type { LayerName } from "../confinement/layer.ts";
import type { Libc } from "../confinement/libc.ts";

/** Things of the host's that the attacks go for. Whoever runs the probe opens and removes them. */
export interface AttackTargets {
  readonly serverPid: number;
  /** A file any user of the host can read. */
  readonly hostFile: string;
  /** A path in a folder this user can write to, where nothing is yet. */
  readonly newFile: string;
  readonly program: string;
  /** A device node any process of this user can open. */
  readonly device: string;
  /** Listening on 127.0.0.1. */
  readonly tcpPort: number;
  /** A listening unix socket. */
  readonly unixSocket: string;
  /** The name of a listening unix socket that has no file, without its leading NUL. */
  readonly abstractSocket: string;
  /** System V shared memory that any user of the host may open. */
  readonly sharedMemoryKey: number;
}

export interface Attack {
  readonly name: string;
  /** `node`: hostile JavaScript in the kernel's realm. `native`: hostile machine code, after a hole in V8. */
  readonly route: "node" | "native";
  readonly says: string;
  /** Each of these layers stops it alone. */
  readonly stoppedBy: readonly LayerName[];
  /** Only root can do this on a host without layers. */
  readonly needsRoot?: boolean;
  /** Resolves if the attack succeeded, with what it got; throws if it was refused. */
  run(targets: AttackTargets, libc: Libc | undefined): Promise<string> | string;
}

export interface AttackResult {
  readonly name: string;
  readonly route: Attack["route"];
  readonly outcome: "refused" | "succeeded" | "not-tried";
  readonly detail: string;
}

/** Tries one attack; never throws. A native one is not tried where there is no way to call natively. */
export async function tryAttack(
  attack: Attack,
  targets: AttackTargets,
  libc: Libc | undefined,
): Promise<AttackResult> {
  const { name, route } = attack;
  if (route === "native" && libc === undefined) {
    return {
      name,
      route,
      outcome: "not-tried",
      detail: "this host has no node:ffi to try it with",
    };
  }
  try {
    return { name, route, outcome: "succeeded", detail: await attack.run(targets, libc) };
  } catch (error) {
    return { name, route, outcome: "refused", detail: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
