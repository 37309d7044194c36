import type { TakeEvents } from "./tool-calls.ts";

const LINE_FEED = 0x0a;

/** Where the events of one call come from. */
export interface EventSource {
  readonly take: TakeEvents;
  /** Its only part. */
  finish(bytes: Uint8Array): void;
}

interface Source {
  /** What has come and is not read yet. */
  bytes: Uint8Array;
  isEnd: boolean;
  wantsMore: (() => void) | undefined;
  readonly over: () => void;
}

/**
 * The events of many calls as one stream of lines: a line that has been begun is finished before one of
 * another call. Of each call it holds one part.
 */
export class EventQueue {
  readonly #wake: () => void;
  readonly #sources = new Set<Source>();
  /** Those with bytes to read, the first to come first. */
  readonly #ready: Source[] = [];
  /** The one whose line has been begun. */
  #current: Source | undefined;
  #isClosed = false;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** Calls that are not read to their end. */
  get sources(): number {
    return this.#sources.size;
  }

  get isReadable(): boolean {
    return this.#current === undefined ? this.#ready.length > 0 : this.#current.bytes.length > 0;
  }

  /** `over` is called when the last byte has been read. */
  addSource(over: () => void): EventSource {
    const source: Source = { bytes: nothing, isEnd: false, wantsMore: undefined, over };
    this.#sources.add(source);
    return {
      take: (bytes, isEnd) => this.#take(source, bytes, isEnd),
      finish: (bytes) => this.#put(source, bytes, true),
    };
  }

  /** Whole lines and the rest of a begun one, as far as they fit. Only when readable. */
  read(into: Uint8Array): number {
    let done = 0;
    while (done < into.length && this.isReadable) {
      const source = this.#current ?? this.#ready.shift();
      if (source === undefined) break;
      const part = source.bytes.subarray(0, into.length - done);
      into.set(part, done);
      done += part.length;
      source.bytes = source.bytes.subarray(part.length);
      this.#follow(source, part.at(-1) === LINE_FEED);
    }
    return done;
  }

  /** Nobody reads any more: whatever comes is dropped. */
  close(): void {
    this.#isClosed = true;
    for (const { wantsMore } of this.#sources) wantsMore?.();
    this.#sources.clear();
    this.#ready.length = 0;
    this.#current = undefined;
  }

  /** After a part of a source has been read: what comes next. */
  #follow(source: Source, isLineEnd: boolean): void {
    this.#current = isLineEnd ? undefined : source;
    if (source.bytes.length > 0) {
      if (isLineEnd) this.#ready.push(source);
      return;
    }
    if (source.isEnd) {
      this.#sources.delete(source);
      if (this.#current === source) this.#current = undefined;
      source.over();
      this.#wake();
      return;
    }
    const { wantsMore } = source;
    source.wantsMore = undefined;
    wantsMore?.();
  }

  async #take(source: Source, bytes: Uint8Array, isEnd: boolean): Promise<void> {
    if (this.#isClosed) return;
    this.#put(source, bytes, isEnd);
    if (isEnd || source.bytes.length === 0) return;
    await new Promise<void>((resolve) => {
      source.wantsMore = resolve;
    });
  }

  #put(source: Source, bytes: Uint8Array, isEnd: boolean): void {
    source.bytes = bytes;
    source.isEnd = isEnd;
    if (bytes.length > 0 && this.#current !== source) this.#ready.push(source);
    if (bytes.length === 0 && isEnd) this.#follow(source, true);
    this.#wake();
  }
}

const nothing = new Uint8Array(0);
