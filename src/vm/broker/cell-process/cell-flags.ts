// The command line a cell's Node is started with. Every flag and its reason is here, but for V8's own
// that would make Node compile its library anew at each start: those are in cell/jail/limit-engine.ts.
import { devNull } from "node:os";
import type { LayerName } from "../../confinement/layer.ts";

export interface CellFlagsOptions {
  /** Files and folders of the cell's own code. */
  readonly readable: readonly string[];
  /** Limit of the kernel's heap; the memory of the whole process is the watchdog's. */
  readonly heapLimitBytes: number;
  /** Lets the cell load native addons before its jail stands. */
  readonly allowAddons: boolean;
  readonly without: readonly LayerName[];
}

/** Flags for Node 26; the order has no meaning. */
export function cellFlags(options: CellFlagsOptions): string[] {
  const flags = [
    // stderr is the cell's log; "ffi is experimental" does not belong there.
    "--no-warnings",
    `--max-old-space-size=${Math.max(16, Math.floor(options.heapLimitBytes / MEBIBYTE))}`,
    // Threads for garbage collection and compilation; the default is four for each cell.
    "--v8-pool-size=2",
    // The host's own settings for OpenSSL are not the cell's.
    `--openssl-config=${devNull}`,
    // Node's own bindings are the engines behind those of guests: crypto, zlib.
    "--expose-internals",
    // No debugger by signal.
    "--disable-sigusr1",
  ];
  if (options.without.includes("permission-model")) return flags;
  flags.push(
    "--permission",
    "--allow-ffi",
    ...options.readable.map((path) => `--allow-fs-read=${path}`),
  );
  if (options.allowAddons) flags.push("--allow-addons");
  return flags;
}

const MEBIBYTE = 1024 * 1024;
