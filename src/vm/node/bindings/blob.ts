// internalBinding('blob'): bytes that do not change, in memory or in a file.
import { CallError, call } from "../channel.ts";
import type { Binding } from "./base.ts";
import { type BlobPart, FilePart, MemoryPart } from "./blob/blob-parts.ts";
import { BlobReader } from "./blob/blob-reader.ts";
import { bytesOf } from "./buffer.ts";
import { pathOf } from "./fs/check-arguments.ts";
import { syncExceptionOf } from "./fs/operation.ts";
import { travelsByReference } from "./messaging/by-reference.ts";

/** What lib's Blob holds on to. */
export class BlobHandle {
  readonly parts: readonly BlobPart[];

  constructor(parts: readonly BlobPart[]) {
    this.parts = parts;
    travelsByReference(this);
  }

  getReader(): BlobReader {
    return new BlobReader(this.parts);
  }

  slice(start: number, end: number): BlobHandle {
    const parts: BlobPart[] = [];
    let at = 0;
    for (const part of this.parts) {
      const from = Math.max(start - at, 0);
      const to = Math.min(end - at, part.length);
      if (from < to) parts.push(part.slice(from, to));
      at += part.length;
    }
    return new BlobHandle(parts);
  }
}

type Stored = [BlobHandle, number, string];
const stored = new Map<string, Stored>();

export const blob = (): Binding => ({
  createBlob: (sources: unknown[]) => new BlobHandle(sources.flatMap(partsOf)),
  storeDataObject(id: string, handle: BlobHandle, length: number, type: string): void {
    stored.set(id, [handle, length, type]);
  },
  getDataObject: (id: string) => stored.get(id),
  revokeObjectURL(url: string): void {
    const id = /^blob:nodedata:([^:?#]+)/.exec(url)?.[1];
    if (id !== undefined) stored.delete(id);
  },
  concat: (views: (ArrayBuffer | ArrayBufferView)[]) => concat(views.map(bytesOf)),
  createBlobFromFilePath,
});

function partsOf(source: unknown): readonly BlobPart[] {
  if (source instanceof BlobHandle) return source.parts;
  const bytes = bytesOf(source as ArrayBufferView);
  return bytes.length === 0 ? [] : [new MemoryPart(bytes)];
}

function createBlobFromFilePath(path: unknown): [BlobHandle, number] {
  try {
    const part = FilePart.open(pathOf(path), call("stat", pathOf(path)));
    return [new BlobHandle([part]), part.length];
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw syncExceptionOf({ syscall: "stat", path }, error);
  }
}

function concat(parts: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}
