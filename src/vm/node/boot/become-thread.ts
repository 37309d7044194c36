// Turns the state that the snapshot holds, that of a main thread, into a worker's.
import { compileMain } from "../bindings/builtins.ts";
import { setThread, type ThreadFacts } from "../bindings/worker.ts";
import type { Node } from "./bootstrap.ts";

const switches = ["does_not_own_process_state", "is_not_main_thread"];

export function becomeThread(
  { process, require, internalBinding, primordials }: Node,
  facts: ThreadFacts,
): void {
  for (const name of switches)
    compileMain(`internal/bootstrap/switches/${name}`)(
      process,
      require,
      internalBinding,
      primordials,
    );
  setThread(facts);
}
