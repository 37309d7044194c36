import type { DirectoryEntry, Stat } from "../kernel/index.ts";
import type { CellAnswer } from "./broker/cell-client.ts";
import { listDirectory } from "./list-by-pages.ts";
import type { Actor, CellMethod, CellParams } from "./wire/cell-methods.ts";
import { CHUNK_BYTES } from "./wire/messages.ts";

/** Calls a method in the VM's cell, starting the VM if need be. */
export type CallCell = <M extends CellMethod>(
  method: M,
  params: CellParams<M>,
  body?: Uint8Array,
) => Promise<CellAnswer<M>>;

export interface AsOption {
  /** Who acts; `user` unless said otherwise. */
  readonly as?: Actor;
}

export interface ReadOptions extends AsOption {
  readonly offset?: number;
  readonly length?: number;
}

export interface WriteOptions extends AsOption {
  readonly append?: boolean;
  readonly mode?: number;
  /** Makes the directories above that are missing. */
  readonly createParents?: boolean;
}

/** Files larger than this are read in parts, or as a stream. */
const WHOLE_FILE_LIMIT_BYTES = 256 * 1024 * 1024;

/** A VM's files, as the host uses them: the policy does not apply, owners and modes do. */
export class VmFiles {
  readonly #call: CallCell;

  constructor(call: CallCell) {
    this.#call = call;
  }

  /** The file's bytes from `offset` on, at most `length`. */
  async read(
    path: string,
    { offset = 0, length = WHOLE_FILE_LIMIT_BYTES, as = "user" }: ReadOptions = {},
  ): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let done = 0;
    for await (const part of this.stream(path, { offset, as })) {
      parts.push(part.subarray(0, length - done));
      done += part.length;
      if (done >= length) break;
    }
    return Buffer.concat(parts);
  }

  /** The file in pieces, read as they are asked for. */
  async *stream(
    path: string,
    { offset = 0, as = "user" }: ReadOptions = {},
  ): AsyncGenerator<Uint8Array> {
    for (let at = offset; ; ) {
      const { body } = await this.#call("readFile", { path, offset: at, length: CHUNK_BYTES, as });
      if (body.length === 0) return;
      yield body;
      at += body.length;
    }
  }

  /**
   * Writes all of it, in pieces: a reader may see a part. Without room for all of it nothing is
   * changed; where it fails between two pieces, what it made is removed, and a file that was there is
   * left empty, or as long as it was when appending.
   */
  async write(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { append = false, mode, createParents = false, as = "user" } = options;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    const first = await this.#call(
      "writeFile",
      {
        path,
        offset: append ? "end" : 0,
        truncates: !append,
        makesParents: createParents,
        totalBytes: bytes.length,
        as,
        ...(mode === undefined ? {} : { mode }),
      },
      bytes.subarray(0, CHUNK_BYTES),
    );
    try {
      for (let at = CHUNK_BYTES; at < bytes.length; at += CHUNK_BYTES) {
        const offset = append ? "end" : at;
        const params = { path, offset, truncates: false, makesParents: false, as } as const;
        await this.#call("writeFile", params, bytes.subarray(at, at + CHUNK_BYTES));
      }
    } catch (error) {
      const { isNew, sizeBefore } = first;
      const sizeBytes = append ? sizeBefore : 0;
      // The failure to tell is that of the write, however its undoing ends.
      await Promise.allSettled([this.#call("undoWrite", { path, isNew, sizeBytes, as })]);
      throw error;
    }
  }

  async stat(
    path: string,
    { as = "user", followsLinks = true }: AsOption & { readonly followsLinks?: boolean } = {},
  ): Promise<Stat> {
    const { body: _, ...stat } = await this.#call("stat", { path, followsLinks, as });
    return stat;
  }

  /** LISTING_TOO_LONG. */
  async list(path: string, { as = "user" }: AsOption = {}): Promise<DirectoryEntry[]> {
    return listDirectory((params) => this.#call("readdir", params), { path, as });
  }

  async makeDirectory(
    path: string,
    { as = "user", recursive = false }: AsOption & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    await this.#call("mkdir", { path, isRecursive: recursive, as });
  }

  async remove(
    path: string,
    { as = "user", recursive = false }: AsOption & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    await this.#call("remove", { path, isRecursive: recursive, as });
  }

  async rename(from: string, to: string, { as = "user" }: AsOption = {}): Promise<void> {
    await this.#call("rename", { from, to, as });
  }
}
