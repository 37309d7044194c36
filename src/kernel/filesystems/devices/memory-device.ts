import type { Stat } from "../../abi/stat.ts";
import { OpenFile } from "../../fd/open-file.ts";
import type { DeviceNode } from "./device-node.ts";

/** What makes one memory device differ from another, see mem(4). */
export interface MemoryDeviceKind {
  /** Fills the buffer; answers how many bytes, 0 for end of file. */
  readonly fill: (into: Uint8Array) => number;
  /** Takes bytes; answers how many, or fails with an errno. */
  readonly take: (from: Uint8Array) => number;
}

/** An open /dev/null, /dev/zero, /dev/full or /dev/random: bytes without a place, never a wait. */
export class MemoryDevice extends OpenFile {
  readonly #node: DeviceNode;
  readonly #kind: MemoryDeviceKind;

  constructor(flags: number, node: DeviceNode, kind: MemoryDeviceKind) {
    super(flags);
    this.#node = node;
    this.#kind = kind;
  }

  override describe(): string {
    return this.#node.path;
  }

  override stat(): Promise<Stat> {
    return this.#node.stat();
  }

  override async read(into: Uint8Array): Promise<number> {
    return this.#kind.fill(into);
  }

  override async write(from: Uint8Array): Promise<number> {
    return this.#kind.take(from);
  }

  override pread(into: Uint8Array, _offset: number): Promise<number> {
    return this.read(into);
  }

  override pwrite(from: Uint8Array, _offset: number): Promise<number> {
    return this.write(from);
  }

  /** There are no offsets: it stays at 0. */
  override async seek(): Promise<number> {
    return 0;
  }
}
