/**
 * What a cell may ask of the server: parameters and result of each method. This is the one way out
 * of a cell; broker/cell-requests.ts is where they arrive. Bytes travel in the reply's body.
 */
export interface BrokerMethods {
  /**
   * The entries of a directory of the VM's software, with attributes, sorted by name, from the
   * position `from` on. The body is a page of them, see listing.ts; `next` is where the rest begins.
   */
  listSoftware: {
    params: { readonly folder: number; readonly path: string; readonly from: number };
    result: { readonly next?: number };
  };
  /** A part of a file of the VM's software. The body is shorter than `length` only at its end. */
  readSoftware: {
    params: {
      readonly folder: number;
      readonly path: string;
      readonly offset: number;
      readonly length: number;
    };
    result: { readonly sizeBytes: number; readonly mtimeMs: number };
  };
}

export type BrokerMethod = keyof BrokerMethods;

/** What a request was answered with. */
export interface BrokerReply<M extends BrokerMethod> {
  readonly value: BrokerMethods[M]["result"];
  readonly body: Uint8Array;
}

/** Requests of one cell under way at one time. A cell waits before it sends more: one that does not is lying. */
export const REQUESTS_LIMIT = 16;
/** Linux's PATH_MAX and NAME_MAX, in bytes. */
const PATH_BYTES = 4096;
const NAME_BYTES = 255;

/**
 * Whether a text is the path of something in a folder: names with single slashes between, none of
 * them `.` or `..`; empty for the folder itself.
 */
export function isFolderPath(path: string): boolean {
  if (path === "") return true;
  if (path.length > PATH_BYTES || path.includes("\0")) return false;
  return path
    .split("/")
    .every((name) => name !== "" && name !== "." && name !== ".." && name.length <= NAME_BYTES);
}
