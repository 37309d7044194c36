import type { PermissionAnswer, PermissionRequest } from "../kernel/index.ts";
import type { AnswerPermission } from "./vm-options.ts";

/** As many as a kernel's maxPendingAsks allows by default; a VM's word for its own is not taken. */
const OPEN_LIMIT = 64;

/** The permission questions of a VM that wait for the host. Without anybody to ask, all are denied. */
export class VmAsks {
  readonly #answer: AnswerPermission | undefined;
  readonly #log: (line: string) => void;
  readonly #open = new Map<number, AbortController>();

  constructor(answer: AnswerPermission | undefined, log: (line: string) => void) {
    this.#answer = answer;
    this.#log = log;
  }

  ask(ask: number, request: PermissionRequest, reply: (answer: PermissionAnswer) => void): void {
    if (this.#answer === undefined || this.#open.size >= OPEN_LIMIT) {
      reply("deny");
      return;
    }
    const abort = new AbortController();
    this.#open.set(ask, abort);
    this.#answer(request, abort.signal)
      .then(
        (answer) => reply(answer === "allow" ? "allow" : "deny"),
        (error: unknown) => {
          // Nobody waits for the answer any more.
          if (abort.signal.aborted) return;
          this.#log(`a permission request failed and is denied: ${String(error)}`);
          reply("deny");
        },
      )
      .finally(() => this.#open.delete(ask))
      .catch((error: unknown) => this.#log(String(error)));
  }

  /** The guest no longer waits. */
  end(ask: number): void {
    this.#open.get(ask)?.abort();
    this.#open.delete(ask);
  }

  endAll(): void {
    for (const ask of [...this.#open.keys()]) this.end(ask);
  }
}
