import type { CellExit } from "./broker/cell-process/cell-process.ts";

/** Why a VM's cell ended, in words for the one who used it. */
export function describeLoss({ reason, code, signal }: CellExit): string {
  switch (reason) {
    case "memory":
      return "it used more memory than its limit";
    case "all-memory":
      return "all VMs together used more memory than the server's maxMemoryMb, and it had the most";
    case "silent":
      return "it did not answer any more";
    case "stuck":
      return "one of its JavaScript processes could not be stopped";
    case "protocol":
      return "its cell broke the protocol";
    case "stopped":
      return "it was stopped";
    case "exited":
    case "crashed":
      return signal === null
        ? `its cell exited with status ${code ?? "unknown"}`
        : `its cell was ended by ${signal}`;
  }
}
