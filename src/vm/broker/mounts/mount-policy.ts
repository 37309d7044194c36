import { type Inode, KernelError, type Policy } from "../../../kernel/index.ts";

export type FsOperation =
  | "read"
  | "write"
  | "stat"
  | "readdir"
  | "create_dir"
  | "rm"
  | "rename"
  | "symlink"
  | "readlink"
  | "chmod"
  | "truncate";

/** Knowing that a file is there is a part of whatever may be done to it. */
const anything = [
  "stat",
  "read",
  "write",
  "readdir",
  "create_dir",
  "rm",
  "rename",
  "symlink",
  "readlink",
  "chmod",
  "truncate",
] as const satisfies readonly FsOperation[];

/**
 * The VM's policy for one mount, decided where the cell cannot reach it. Who in the VM asks is not known
 * here, so what is denied to guests is denied to all of it.
 */
export class MountPolicy {
  readonly #policy: Policy;
  readonly #canAsk: boolean;
  readonly #at: string;

  constructor(policy: Policy, canAsk: boolean, at: string) {
    this.#policy = policy;
    this.#canAsk = canAsk;
    this.#at = at;
  }

  /** EACCES unless guests may do one of these at the path from the mount's root. */
  require(path: string, ...operations: readonly [FsOperation, ...FsOperation[]]): void {
    const subject = `${this.#at}${path}`;
    const decisions = operations.map((operation) => this.#policy.decide("fs", operation, subject));
    const isGranted = decisions.some(
      ({ mode }) => mode === "allow" || (mode === "ask" && this.#canAsk),
    );
    if (isGranted) return;
    throw new KernelError("EACCES", undefined, `permissions.${decisions[0]?.rule ?? "fs"}`);
  }

  /** A walk passes directories and links whatever the policy says about them. */
  requireKnowing(path: string, { kind }: Inode): void {
    if (kind === "directory" || kind === "symlink") return;
    this.require(path, ...anything);
  }
}
