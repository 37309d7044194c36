import type IsolatedVm from "isolated-vm";
import type { IsolateOptions } from "./ready-isolates.ts";

/** Enough for a few handles. */
const MEMORY_MB = 16;

/**
 * Makes isolates from a snapshot on a thread of its own, itself an isolate's: reading the snapshot takes
 * milliseconds, for which the kernel would stand still.
 */
export class IsolateMaker {
  readonly #isolate: IsolatedVm.Isolate;
  readonly #make: IsolatedVm.Reference;

  constructor(options: IsolateOptions, snapshot: IsolatedVm.ExternalCopy<ArrayBuffer>) {
    const { natives, onCatastrophe } = options;
    const { ivm } = natives;
    this.#isolate = new ivm.Isolate({
      memoryLimit: MEMORY_MB,
      onCatastrophicError: onCatastrophe,
    });
    this.#make = this.#isolate.createContextSync().evalClosureSync(
      // No onCatastrophicError: isolated-vm 7.0.1 calls it in this isolate without a context, and V8 follows a null
      // pointer (RaiseCatastrophicError in environment.cc). Without one it says on stderr why, and aborts.
      `const [{ Isolate }, snapshot] = [$0, $1];
      return (memoryLimit) => new Isolate({ memoryLimit, snapshot });`,
      [ivm, snapshot],
      { result: { reference: true } },
    );
  }

  async make(heapLimitMb: number): Promise<IsolatedVm.Isolate> {
    const made: unknown = await this.#make.apply(undefined, [heapLimitMb]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the function above returns
    return made as IsolatedVm.Isolate;
  }

  dispose(): void {
    this.#isolate.dispose();
  }
}
