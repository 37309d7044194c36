import { signals } from "../abi/signals.ts";
import type { Kernel } from "../kernel.ts";
import { memoryNotice } from "../limits/limit-notices.ts";
import type { Process } from "./process.ts";
import { sendSignal } from "./send-signal.ts";

/** One that holds less is not the reason why memory is used up. */
const LEAST_BYTES = 4 * 1024 * 1024;

/** The process that says it holds most, see the call `hold`; undefined where none holds much. */
export function findLargestHolder(kernel: Kernel): Process | undefined {
  let largest: Process | undefined;
  for (const process of kernel.processes.list()) {
    if (process.isTrusted || process.state === "zombie") continue;
    if (process.heldBytes > (largest?.heldBytes ?? LEAST_BYTES)) largest = process;
  }
  return largest;
}

/** Kills a process because memory is used up, and says so to whoever started it. */
export function killForMemory(process: Process): void {
  const { kernel, pid, argv, session } = process;
  const notice = memoryNotice({ pid, command: argv.join(" ") }, kernel.memory);
  kernel.host.tellSession(session.sid, notice);
  sendSignal(process, signals.SIGKILL);
}
