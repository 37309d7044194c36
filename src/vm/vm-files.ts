import type { DirectoryEntry, Stat } from "../kernel/index.ts";
import type { CellAnswer } from "./broker/cell-client.ts";
import { type Actor, type CellMethod, type CellMethods, CHUNK_BYTES } from "./wire/messages.ts";

/** Calls a method in the VM's cell, starting the VM if need be. */
export type CallCell = <M extends CellMethod>(
  method: M,
  params: CellMethods[M]["params"],
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

/** The most entries of one directory that are listed: a VM cannot make us hold more. */
const LIST_LIMIT = 1_000_000;

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

  /** Writes all of it, in pieces: a reader may see a part. Nothing is kept of the old content. */
  async write(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { append = false, mode, createParents = false, as = "user" } = options;
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    let at = 0;
    do {
      const params = {
        path,
        offset: append ? ("end" as const) : at,
        truncates: !append && at === 0,
        makesParents: createParents && at === 0,
        as,
        ...(mode === undefined ? {} : { mode }),
      };
      await this.#call("writeFile", params, bytes.subarray(at, at + CHUNK_BYTES));
      at += CHUNK_BYTES;
    } while (at < bytes.length);
  }

  async stat(
    path: string,
    { as = "user", followsLinks = true }: AsOption & { readonly followsLinks?: boolean } = {},
  ): Promise<Stat> {
    const { body: _, ...stat } = await this.#call("stat", { path, followsLinks, as });
    return stat;
  }

  async list(path: string, { as = "user" }: AsOption = {}): Promise<DirectoryEntry[]> {
    const all: DirectoryEntry[] = [];
    while (true) {
      const { entries, isEnd } = await this.#call("readdir", { path, offset: all.length, as });
      all.push(...entries);
      if (isEnd || entries.length === 0 || all.length >= LIST_LIMIT) return all;
    }
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
