import { randomBytes } from "node:crypto";
import type { FileSystem, Inode } from "../../../kernel/index.ts";
import type { MovingFile } from "./moving-file.ts";

/** A place that files are in for a time: the file system there, and which of our files each of its files is. */
export class Seat {
  readonly files: FileSystem;
  readonly known = new WeakMap<Inode, MovingFile>();
  readonly #salt: bigint;

  /** Numbers of the first seat are true; those of later ones must not be taken for numbers of the first. */
  constructor(files: FileSystem, isFirst: boolean) {
    this.files = files;
    this.#salt = isFirst ? 0n : BigInt.asUintN(53, randomBytes(8).readBigUInt64LE());
  }

  /** The number that a file found here for the first time has from then on. */
  numberOf(ino: number): number {
    return this.#salt === 0n ? ino : Number(BigInt(ino) ^ this.#salt);
  }
}
