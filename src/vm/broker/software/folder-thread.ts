// The thread that reads the host's folders for VMs, so that the server never waits for a disk. It does
// one thing after the other; FolderReader is its user.
import { parentPort } from "node:worker_threads";
import { type Errno, KernelError } from "../../../kernel/index.ts";
import {
  codeOf,
  type FilePart,
  FolderLister,
  type ListedPage,
  openFolder,
  readPart,
} from "./read-folder.ts";

export type FolderCall =
  | { readonly call: "open"; readonly path: string }
  | {
      readonly call: "list";
      readonly root: Uint8Array;
      readonly path: string;
      readonly from: number;
    }
  | {
      readonly call: "read";
      readonly root: Uint8Array;
      readonly path: string;
      readonly offset: number;
      readonly length: number;
    };

export type FolderAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly errno: Errno; readonly reason: string | undefined }
  /** Node's code of a failure that no guest is told. */
  | { readonly code: string }
);

const lister = new FolderLister();

parentPort?.on("message", ({ id, ...call }: { readonly id: number } & FolderCall) => {
  const { value, ...failure } = answer(call);
  if (value === undefined) return parentPort?.postMessage({ id, ...failure });
  // The bytes change hands: they are not copied.
  const bytes = value instanceof Uint8Array ? value : value.bytes;
  return parentPort?.postMessage({ id, value }, ownBuffer(bytes));
});

interface Outcome {
  readonly value?: Uint8Array | ListedPage | FilePart;
  readonly errno?: Errno;
  readonly reason?: string | undefined;
  readonly code?: string;
}

/** The buffer under the bytes, unless it is shared with others, as Node's pool is. */
function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function answer(call: FolderCall): Outcome {
  try {
    return { value: perform(call) };
  } catch (error) {
    if (!(error instanceof KernelError)) return { code: codeOf(error) };
    return { errno: error.errno, reason: error.reason };
  }
}

function perform(call: FolderCall): NonNullable<Outcome["value"]> {
  switch (call.call) {
    case "open":
      return openFolder(call.path);
    case "list":
      return lister.list(call.root, call.path, call.from);
    case "read":
      return readPart(call.root, call.path, call.offset, call.length);
  }
}
