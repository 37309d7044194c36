import type { VmMount } from "./vm-mount.ts";

/** A VM that boots, for who makes mounts for it. */
export interface MountedVm {
  readonly id: string;
  /** Calls back when the VM is gone for good. */
  on(event: "destroyed", listener: () => void): unknown;
}

/** Called again when a VM that was lost boots anew. */
export type MakeMounts = (vm: MountedVm) => Promise<readonly VmMount[]>;
