/** Random operations on a small tree, made so that names often meet. */

export type Operation =
  | { readonly op: "mkdir"; readonly path: string; readonly mode: number }
  | { readonly op: "rmdir" | "unlink" | "readlink" | "stat" | "lstat"; readonly path: string }
  | { readonly op: "readdir" | "readFile"; readonly path: string }
  | { readonly op: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly op: "symlink"; readonly target: string; readonly path: string }
  | {
      readonly op: "write";
      readonly path: string;
      readonly flags: OpenFlags;
      readonly mode: number;
      readonly piece: Piece;
    }
  | { readonly op: "truncate"; readonly path: string; readonly size: number }
  | { readonly op: "chmod"; readonly path: string; readonly mode: number }
  | {
      readonly op: "chown" | "lchown";
      readonly path: string;
      readonly uid: number;
      readonly gid: number;
    }
  | {
      readonly op: "utimes";
      readonly path: string;
      readonly atimeMs: number;
      readonly mtimeMs: number;
    }
  | { readonly op: "hold"; readonly slot: number; readonly path: string; readonly flags: OpenFlags }
  | { readonly op: "heldWrite"; readonly slot: number; readonly piece: Piece }
  | { readonly op: "heldAppend"; readonly slot: number; readonly piece: Piece }
  | { readonly op: "heldTruncate"; readonly slot: number; readonly size: number }
  | { readonly op: "heldRead" | "heldStat" | "letGo"; readonly slot: number };

/** Bytes of one value at an offset. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly fill: number;
}

export type OpenFlags = readonly (
  | "creat"
  | "excl"
  | "trunc"
  | "append"
  | "rdwr"
  | "wronly"
  | "directory"
  | "nofollow"
)[];

/** What came of it: an errno's name or a value that can be compared. */
export type Outcome = { readonly errno: string } | { readonly value: unknown };

export const SLOTS = 4;

/** mulberry32: the same operations for the same seed, everywhere. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class OperationSource {
  readonly #random: () => number;
  readonly #isRoot: boolean;

  constructor(seed: number, isRoot: boolean) {
    this.#random = makeRandom(seed);
    this.#isRoot = isRoot;
  }

  next(): Operation {
    const path = this.#path();
    const slot = this.#below(SLOTS);
    const make = this.#pick<() => Operation>([
      () => ({ op: "mkdir", path, mode: this.#mode() }),
      () => ({ op: "mkdir", path, mode: 0o755 }),
      () => ({ op: "mkdir", path, mode: 0o755 }),
      () => ({ op: "rmdir", path }),
      () => ({ op: "unlink", path }),
      () => ({ op: "rename", path: this.#shortPath(), to: this.#shortPath() }),
      () => ({ op: "rename", path: this.#shortPath(), to: this.#shortPath() }),
      () => ({ op: "link", path, to: this.#path() }),
      () => ({ op: "symlink", target: this.#target(path), path }),
      () => ({ op: this.#pick(["readlink", "stat", "lstat", "readdir", "readFile"]), path }),
      () => ({ op: this.#pick(["readlink", "stat", "lstat", "readdir", "readFile"]), path }),
      () => ({ op: "write", path, flags: this.#flags(), mode: this.#mode(), piece: this.#piece() }),
      () => ({ op: "write", path, flags: ["creat", "wronly"], mode: 0o644, piece: this.#piece() }),
      () => ({ op: "write", path, flags: ["creat", "wronly"], mode: 0o644, piece: this.#piece() }),
      () => ({ op: "truncate", path, size: this.#offset() }),
      () => ({ op: "chmod", path, mode: this.#mode() }),
      () =>
        this.#isRoot
          ? { op: this.#pick(["chown", "lchown"]), path, ...this.#owner() }
          : { op: "stat", path },
      () => ({
        op: "utimes",
        path,
        atimeMs: this.#below(1e9) * 1000,
        mtimeMs: this.#below(1e9) * 1000,
      }),
      () => ({ op: "hold", slot, path, flags: this.#flags() }),
      () => ({ op: this.#pick(["heldWrite", "heldAppend"]), slot, piece: this.#piece() }),
      () => ({ op: "heldTruncate", slot, size: this.#offset() }),
      () => ({ op: this.#pick(["heldRead", "heldStat", "letGo"]), slot }),
    ]);
    return make();
  }

  #path(): string {
    const names = Array.from({ length: 1 + this.#below(2) + this.#below(2) }, () =>
      this.#pick(["a", "b", "c", "d"]),
    );
    const oddity = this.#below(40);
    if (oddity === 0) names.push("");
    if (oddity === 1) names.push(".");
    if (oddity === 2) names.splice(0, 0, this.#pick(["a", "b"]), "..");
    if (oddity === 3) names.splice(1, 0, "", ".");
    if (oddity === 4) names.push("n".repeat(this.#pick([255, 256])));
    if (oddity === 5 && this.#below(10) === 0) names.push(...Array<string>(2100).fill("x"));
    return `/${names.join("/")}`;
  }

  /** Linux looks at both parents before either last name: which error comes first is not compared. */
  #shortPath(): string {
    const path = this.#path();
    return path.length < 100 ? path : "/a";
  }

  /**
   * Never upwards and never absolute: on the host's file system nothing may lead out. Mostly to a
   * later letter, for links that lead in circles soon fill the tree.
   */
  #target(path: string): string {
    if (this.#below(8) === 0) return this.#pick(["a", "b/c", "c/d/a", "none", "d/"]);
    const later = ["a", "b", "c", "d"].filter((name) => name > path.slice(-1));
    return this.#pick([...later, "none"]);
  }

  /** Never O_CREAT with O_DIRECTORY: kernels before 6.4 answer in another way. */
  #flags(): OpenFlags {
    const access = this.#pick<OpenFlags>([["rdwr"], ["wronly"], []]);
    const others = (["creat", "excl", "trunc", "append", "nofollow"] as const).filter(
      () => this.#below(4) === 0,
    );
    if (others.includes("creat") || this.#below(6) > 0) return [...access, ...others];
    return [...access, ...others, "directory"];
  }

  #piece(): Piece {
    return { offset: this.#offset(), length: this.#below(600), fill: 1 + this.#below(255) };
  }

  #offset(): number {
    return this.#pick([
      0,
      0,
      this.#below(100),
      this.#below(5000),
      65_530 + this.#below(10),
      this.#below(150_000),
    ]);
  }

  /** No sticky directory that all may write: Linux has further rules for those (protected_*). */
  #mode(): number {
    const mode = this.#pick([
      0o755, 0o700, 0o644, 0o600, 0o777, 0o1755, 0o2755, 0o4755, 0o6711, 0o070, 0,
    ]);
    return this.#isRoot ? mode : mode | 0o700;
  }

  #owner(): { uid: number; gid: number } {
    return { uid: this.#pick([0, 5, 1000]), gid: this.#pick([0, 5, 1000]) };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
