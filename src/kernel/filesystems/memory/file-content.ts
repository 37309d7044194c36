/**
 * The bytes of one regular file, kept in pages.
 *
 * A page that was never written is a hole: it holds nothing and reads as zeros. A page is as long
 * as the power of two that covers the last byte written into it, so a small file holds little and
 * appending copies each byte a bounded number of times. Bytes past the file's end are always zero.
 *
 * A file of an image starts with `shared` bytes, which are never written: the first write into a
 * page copies that page.
 */
export class FileContent {
  #sizeBytes: number;
  #heldBytes = 0;
  #shared: Uint8Array;
  #pages: Map<number, Uint8Array> | undefined;

  constructor(shared: Uint8Array = nothing) {
    this.#shared = shared;
    this.#sizeBytes = shared.length;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Bytes of all pages, whole multiples of 512; shared bytes are not held. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Fills `into` from `offset` on; answers how many bytes there are, 0 at or past the end. */
  read(into: Uint8Array, offset: number): number {
    const end = Math.min(this.#sizeBytes, offset + into.length);
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / PAGE_BYTES);
      const start = at - index * PAGE_BYTES;
      const length = Math.min(PAGE_BYTES - start, end - at);
      const source = this.#pages?.get(index) ?? this.#sharedPage(index);
      const found = source.subarray(start, start + length);
      const written = at - offset;
      into.set(found, written);
      if (found.length < length) into.fill(0, written + found.length, written + length);
      at += length;
    }
    return Math.max(0, end - offset);
  }

  /** How much more a write of `length` bytes at `offset` would make the file hold. */
  growthFor(offset: number, length: number): number {
    const end = offset + length;
    let growth = 0;
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / PAGE_BYTES);
      const stop = Math.min(PAGE_BYTES, end - index * PAGE_BYTES);
      const page = this.#pages?.get(index);
      growth += this.#capacityFor(index, stop) - (page?.length ?? 0);
      at = index * PAGE_BYTES + stop;
    }
    return growth;
  }

  write(from: Uint8Array, offset: number): void {
    const end = offset + from.length;
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / PAGE_BYTES);
      const start = at - index * PAGE_BYTES;
      const stop = Math.min(PAGE_BYTES, end - index * PAGE_BYTES);
      const piece = from.subarray(at - offset, at - offset + stop - start);
      if (piece.length === PAGE_BYTES) this.#replacePage(index, piece);
      else this.#pageFor(index, stop).set(piece, start);
      at += piece.length;
    }
    this.#sizeBytes = Math.max(this.#sizeBytes, end);
  }

  /** Cuts, giving up what lies past the new end, or extends with a hole. */
  truncate(sizeBytes: number): void {
    if (sizeBytes < this.#sizeBytes) this.#cut(sizeBytes);
    this.#sizeBytes = sizeBytes;
  }

  #cut(sizeBytes: number): void {
    const firstGone = Math.ceil(sizeBytes / PAGE_BYTES);
    this.#dropPagesFrom(firstGone);
    this.#shared = this.#shared.subarray(0, sizeBytes);
    const index = Math.floor(sizeBytes / PAGE_BYTES);
    const keep = sizeBytes - index * PAGE_BYTES;
    const page = this.#pages?.get(index);
    if (page === undefined || keep === 0) return;
    if (capacityOf(keep) < page.length) {
      const shorter = new Uint8Array(capacityOf(keep));
      shorter.set(page.subarray(0, keep));
      this.#setPage(index, shorter);
      return;
    }
    page.fill(0, keep);
  }

  /** Visits whichever are fewer: the indexes past the cut or the pages there are. */
  #dropPagesFrom(firstGone: number): void {
    const pages = this.#pages;
    if (pages === undefined) return;
    const pageCount = Math.ceil(this.#sizeBytes / PAGE_BYTES);
    if (pageCount - firstGone <= pages.size) {
      for (let index = firstGone; index < pageCount; index++) this.#dropPage(index);
      return;
    }
    for (const index of pages.keys()) if (index >= firstGone) this.#dropPage(index);
  }

  #dropPage(index: number): void {
    this.#heldBytes -= this.#pages?.get(index)?.length ?? 0;
    this.#pages?.delete(index);
  }

  /** Copies a whole page, which spares filling it with zeros first. */
  #replacePage(index: number, bytes: Uint8Array): void {
    const page = this.#pages?.get(index);
    if (page?.length === PAGE_BYTES) page.set(bytes);
    else this.#setPage(index, new Uint8Array(bytes));
  }

  /** The page, made or grown so that it reaches to `stop`. */
  #pageFor(index: number, stop: number): Uint8Array {
    const page = this.#pages?.get(index);
    const capacity = this.#capacityFor(index, stop);
    if (page?.length === capacity) return page;
    const grown = new Uint8Array(capacity);
    grown.set(page ?? this.#sharedPage(index));
    this.#setPage(index, grown);
    return grown;
  }

  #setPage(index: number, page: Uint8Array): void {
    this.#pages ??= new Map();
    this.#heldBytes += page.length - (this.#pages.get(index)?.length ?? 0);
    this.#pages.set(index, page);
  }

  #capacityFor(index: number, stop: number): number {
    const page = this.#pages?.get(index);
    if (page !== undefined) return Math.max(page.length, capacityOf(stop));
    return capacityOf(Math.max(stop, this.#sharedPage(index).length));
  }

  #sharedPage(index: number): Uint8Array {
    const start = index * PAGE_BYTES;
    if (start >= this.#shared.length) return nothing;
    return this.#shared.subarray(start, start + PAGE_BYTES);
  }
}

/** A pipe's worth. Measured: 16 KiB to 1 MiB differ by less than two runs of one size do. */
export const PAGE_BYTES = 1 << 16;

/** What a file of this size holds when it has no holes. */
export function heldBytesFor(sizeBytes: number): number {
  const rest = sizeBytes % PAGE_BYTES;
  return sizeBytes - rest + (rest === 0 ? 0 : capacityOf(rest));
}

/** One block of stat(2), so that what is held is always whole blocks. */
const LEAST_PAGE_BYTES = 512;

const nothing = new Uint8Array(0);

function capacityOf(bytes: number): number {
  return bytes <= LEAST_PAGE_BYTES ? LEAST_PAGE_BYTES : 1 << (32 - Math.clz32(bytes - 1));
}
