import type { Vm } from "../../vm/index.ts";

/** What one connection still has to be told of the VMs it uses, and what it has been told. */
export class VmNotices {
  readonly #seenLosses = new WeakMap<Vm, number>();
  readonly #waiting = new WeakMap<Vm, string[]>();
  #first: (() => string | undefined) | undefined;

  /** `first` is what the first answer of all has to say, if anything. */
  constructor(first?: () => string | undefined) {
    this.#first = first;
  }

  /** Has the next answer about the VM say this. */
  add(vm: Vm, notice: string): void {
    this.#waiting.set(vm, [...(this.#waiting.get(vm) ?? []), notice]);
  }

  /** What the answer that is being made has to say; told from now on. */
  take(vm: Vm): string | undefined {
    const notices = [
      ...(this.#waiting.get(vm) ?? []),
      vm.takeNotice(this.#seenLosses.get(vm)),
      this.#first?.(),
    ];
    this.#first = undefined;
    this.#waiting.delete(vm);
    this.#seenLosses.set(vm, vm.losses);
    const said = notices.filter((notice) => notice !== undefined);
    return said.length === 0 ? undefined : said.join(" ");
  }
}
