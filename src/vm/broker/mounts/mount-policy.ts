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

  /** Whether guests may do one of these at the path from the mount's root. */
  can(path: string, ...operations: readonly [FsOperation, ...FsOperation[]]): boolean {
    const subject = `${this.#at}${path}`;
    return operations.some((operation) => {
      const { mode } = this.#policy.decide("fs", operation, subject);
      return mode === "allow" || (mode === "ask" && this.#canAsk);
    });
  }

  /** A walk passes directories and links whatever the policy says about them. */
  canKnow(path: string, { kind }: Inode): boolean {
    return kind === "directory" || kind === "symlink" || this.can(path, ...anything);
  }

  /** Whether guests may know of everything in a directory, whatever it is called. */
  canKnowAllIn(path: string): boolean {
    const directory = `${this.#at}${path}`;
    return anything.some((operation) => {
      const { mode } = this.#policy.decideBelow(operation, directory);
      return mode === "allow" || (mode === "ask" && this.#canAsk);
    });
  }

  /** EACCES unless guests may do one of these at the path from the mount's root. */
  require(path: string, ...operations: readonly [FsOperation, ...FsOperation[]]): void {
    if (this.can(path, ...operations)) return;
    const { rule } = this.#policy.decide("fs", operations[0], `${this.#at}${path}`);
    throw new KernelError("EACCES", undefined, `permissions.${rule}`);
  }

  requireKnowing(path: string, inode: Inode): void {
    if (!this.canKnow(path, inode)) this.require(path, ...anything);
  }
}
