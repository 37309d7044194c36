// isolated-vm and the guest's native module, which a cell must load before its jail stands.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as IsolatedVm from "isolated-vm";
import { type Cores, findCores } from "../../confinement/cores.ts";
import type { NativeLedger } from "./memory-ledger.ts";

export interface GuestNatives {
  readonly ivm: typeof IsolatedVm;
  readonly module: IsolatedVm.NativeModule;
  /** The build's folder `guest`: the snapshot, and the sources of Node's builtins. */
  readonly directory: string;
  readonly cores: Cores;
  readonly ledger: NativeLedger;
}

/** From the build's directory; undefined where there is none for this platform. */
export function loadNatives(build: string): GuestNatives | undefined {
  const binding = join(build, "guest-binding", `${process.platform}-${process.arch}-glibc.node`);
  const directory = join(build, "guest");
  if (!existsSync(binding) || !existsSync(directory)) return undefined;
  // By path: isolated-vm's own look-up reads files that a cell may not.
  const prebuilt = `isolated-vm.abi${process.versions.modules}.glibc.node`;
  const platform = `${process.platform}-${process.arch}`;
  const file = join(build, "isolated-vm", "prebuilds", platform, prebuilt);
  const load = createRequire(file);
  const { ivm }: { ivm: typeof IsolatedVm } = load(file);
  const ledger: NativeLedger = load(binding);
  return { ivm, module: new ivm.NativeModule(binding), directory, cores: findCores(), ledger };
}
