// Why a command has no end: its VM is gone.
import { HostError } from "../vm/host-error.ts";
import type { Exec, Vm } from "../vm/index.ts";

/** Listens from before a command may be lost until `stop`. */
export class ExecLoss {
  readonly #vm: Vm;
  readonly #stop: () => void;
  #cause = "it stopped while the command ran";

  constructor(vm: Vm) {
    this.#vm = vm;
    this.#stop = vm.on("lost", (cause) => {
      this.#cause = cause;
    });
  }

  /** Fails with VM_LOST or VM_DESTROYED when the VM has ended under the command. */
  check(exec: Exec): void {
    if (exec.status().state !== "lost") return;
    const { id: vm } = this.#vm;
    if (this.#vm.info().state === "destroyed") throw new HostError("VM_DESTROYED", { vm });
    throw new HostError("VM_LOST", { vm, cause: this.#cause });
  }

  stop(): void {
    this.#stop();
  }
}
