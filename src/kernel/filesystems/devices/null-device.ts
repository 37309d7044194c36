import type { Stat } from "../../abi/stat.ts";
import { OpenFile } from "../../fd/open-file.ts";
import type { DeviceNode } from "./device-node.ts";

/** /dev/null: empty to read, takes everything, see null(4). */
export class NullDevice extends OpenFile {
  readonly #node: DeviceNode;

  constructor(flags: number, node: DeviceNode) {
    super(flags);
    this.#node = node;
  }

  override describe(): string {
    return this.#node.path;
  }

  override stat(): Promise<Stat> {
    return this.#node.stat();
  }

  override async read(_into: Uint8Array): Promise<number> {
    return 0;
  }

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
