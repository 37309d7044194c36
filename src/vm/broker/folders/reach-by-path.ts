import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
} from "node:fs";
import { KernelError } from "../../../kernel/index.ts";
import { lookAt, lookThrough } from "./look-by-node.ts";
import {
  type FileFacts,
  factsOf,
  type HeldFile,
  nameBytes,
  type Reach,
  requireContent,
  type TellFile,
} from "./reach.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Reaches files of a folder that is only read, where there is no Linux. A held file is a path that is checked
 * before each use: no link may be on the way, and the file must be the one it was. Whoever can write to the
 * folder could be quicker than the check.
 */
export class ReachByPath implements Reach {
  readonly #held = new Map<number, { readonly path: Buffer; readonly identity: string }>();
  #last = 0;

  holdRoot(path: string): HeldFile {
    const root = realpathSync.native(path, { encoding: "buffer" });
    const stats = lstatSync(root, { bigint: true });
    if (!stats.isDirectory()) throw new KernelError("ENOTDIR");
    return this.#hold(root, stats);
  }

  hold(directory: number, name: string): HeldFile {
    const path = this.inside(directory, name);
    return this.#hold(path, lstatSync(path, { bigint: true }));
  }

  holdOpen(): never {
    throw new KernelError("ENOTSUP", undefined, "host folders can be written to on Linux only");
  }

  close(held: number): void {
    this.#held.delete(held);
  }

  stat(held: number): FileFacts {
    const { path, identity } = this.#get(held);
    const facts = factsOf(lstatSync(path, { bigint: true }));
    if (facts.identity !== identity) throw new KernelError("ESTALE");
    return facts;
  }

  itself(held: number): Buffer {
    const { path } = this.#get(held);
    if (!realpathSync.native(path, { encoding: "buffer" }).equals(path)) {
      throw new KernelError("ESTALE");
    }
    return path;
  }

  inside(directory: number, name: string): Buffer {
    const bytes = nameBytes(name);
    // To Windows these are more than a name.
    if (process.platform === "win32" && /[\\:]/.test(name)) throw new KernelError("ENOENT");
    return Buffer.concat([this.itself(directory), Buffer.from("/"), bytes]);
  }

  lookThrough(directory: number, most: number, tell: TellFile): boolean {
    return lookThrough(this.itself(directory), most, tell);
  }

  lookAt(directory: number, name: Buffer, tell: TellFile): void {
    lookAt(this.itself(directory), name, tell);
  }

  withContent<T>(held: number, flags: number, use: (fd: number) => T): T {
    requireContent(this.stat(held).kind);
    // Windows knows none of these flags.
    const careful = flags | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);
    const fd = openSync(this.itself(held), careful);
    try {
      const { identity } = factsOf(fstatSync(fd, { bigint: true }));
      if (identity !== this.#get(held).identity) throw new KernelError("ESTALE");
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }

  #hold(path: Buffer, stats: BigIntStats): HeldFile {
    const facts = factsOf(stats);
    this.#last += 1;
    this.#held.set(this.#last, { path, identity: facts.identity });
    return { fd: this.#last, facts };
  }

  #get(held: number): { readonly path: Buffer; readonly identity: string } {
    const known = this.#held.get(held);
    if (known === undefined) throw new KernelError("EBADF");
    return known;
  }
}
