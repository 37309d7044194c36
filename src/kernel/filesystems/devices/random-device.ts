import type { Stat } from "../../abi/stat.ts";
import { OpenFile } from "../../fd/open-file.ts";
import type { DeviceNode } from "./device-node.ts";

/** /dev/random and /dev/urandom: unpredictable bytes without waiting, see random(4). */
export class RandomDevice extends OpenFile {
  readonly #node: DeviceNode;
  readonly #random: (into: Uint8Array) => void;

  constructor(flags: number, node: DeviceNode, random: (into: Uint8Array) => void) {
    super(flags);
    this.#node = node;
    this.#random = random;
  }

  override describe(): string {
    return this.#node.path;
  }

  override stat(): Promise<Stat> {
    return this.#node.stat();
  }

  override async read(into: Uint8Array): Promise<number> {
    this.#random(into);
    return into.length;
  }

  /** What is written would stir the pool; the host's needs no stirring. */
  override async write(from: Uint8Array): Promise<number> {
    return from.length;
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
